import type { VNode } from 'preact';
import type { SupplierPart } from '../common/addresses.js';
import { counted, formatCount } from '../common/format.js';
import { PREVIEWED_MAX, type RetryQuestion } from '../common/retry-question.js';
import { PostForm } from './form.js';
import { ofSupplier, type Link, type Page } from './page.js';
import { Statistics } from './pairs.js';

interface RetryPageProps {
  readonly question: RetryQuestion;
  /** The part of the supplier that the question belongs to. */
  readonly part: SupplierPart;
  /** The page above. */
  readonly above: Link;
  /** The address and the fields of the form that retries. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Asks an operator whether to retry failed accounts, and says what a retry does: an import reads what was staged (choice C9). */
export function retryPage({ question, part, above, action, fields }: RetryPageProps): Page {
  const { supplier, accounts } = question;
  return {
    title: `Retry ${counted(accounts, 'account')}?`,
    ...ofSupplier(supplier, part, above),
    body: (
      <>
        <Consequences question={question} />
        <div class="actions">
          {accounts > 0 && (
            <PostForm action={action}>
              {Object.entries(fields).map(([name, value]) => (
                <input type="hidden" name={name} value={value} />
              ))}
              <button>Retry {counted(accounts, 'account')}</button>
            </PostForm>
          )}
          <a class="button plain" href={above.href}>
            Cancel
          </a>
        </div>
      </>
    ),
  };
}

function Consequences({ question }: { question: RetryQuestion }): VNode {
  const { accounts, preview, cause } = question;
  if (accounts === 0) return <p class="empty">None of these accounts has failed.</p>;
  const { failed, importable } = preview;
  return (
    <>
      {cause !== undefined && (
        <p>
          Their import failed: <q>{cause}</q>
        </p>
      )}
      <p class="notice notice-warning">
        <strong>Stage corrected data first.</strong> A retry does not change data: the accounts become
        pending, and the next <code>data-import accounts import</code> reads what was staged. Without new data
        it fails as before.
      </p>
      <Statistics
        pairs={[
          ['Failed accounts', formatCount(accounts)],
          ['Staged again since they failed', '0'],
          [
            failed < accounts
              ? `Would be imported today, of the first ${formatCount(PREVIEWED_MAX)}`
              : 'Would be imported today',
            formatCount(importable),
          ],
        ]}
      />
      <p>
        An account that is staged again becomes pending at once and needs no retry. With the data that is
        staged now,{' '}
        {importable === 0
          ? 'all of these would fail again.'
          : importable < failed
            ? `${counted(failed - importable, 'account')} would fail again.`
            : 'all of these would be imported.'}
      </p>
    </>
  );
}
