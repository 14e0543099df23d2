import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { counted, formatCount } from '../common/format.js';
import { PostForm } from '../layout/form.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Statistics } from '../layout/pairs.js';
import { causeAddress } from './cause-parts.js';
import { PREVIEWED_MAX, type RetryQuestion } from './failures.types.js';

/** Asks an operator whether to retry the accounts of a cause, and says what a retry does: an import reads what was staged (choice C9). */
export function retryPage(question: RetryQuestion): Page {
  const { supplier, accounts, cause } = question;
  const above = causeAddress(supplier.code, { source: 'imports', cause }, '30-days');
  return {
    title: `Retry ${counted(accounts, 'account')}?`,
    ...ofSupplier(supplier, 'failures', { text: 'Failures', href: above }),
    body: (
      <>
        <Consequences question={question} />
        <div class="actions">
          <PostForm action={ADDRESSES.retry(supplier.code)}>
            <input type="hidden" name="cause" value={cause} />
            <button>Retry {counted(accounts, 'account')}</button>
          </PostForm>
          <a class="button plain" href={above}>
            Cancel
          </a>
        </div>
      </>
    ),
  };
}

function Consequences({ question }: { question: RetryQuestion }): VNode {
  const { accounts, preview, cause } = question;
  const { failed, importable } = preview;
  return (
    <>
      <p>
        Their import failed: <q>{cause}</q>
      </p>
      <p class="notice notice-warning">
        <strong>Stage corrected data first.</strong> A retry does not change data: the accounts become
        pending, and the next <code>data-import accounts import</code> reads what was staged. Without new data
        it fails as before.
      </p>
      <Statistics
        pairs={[
          ['Failed accounts', formatCount(accounts)],
          [
            failed < accounts
              ? `Would be imported today, of the first ${formatCount(PREVIEWED_MAX)}`
              : 'Would be imported today',
            formatCount(importable),
          ],
        ]}
      />
    </>
  );
}
