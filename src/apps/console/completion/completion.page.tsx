import type { VNode } from 'preact';
import { isWhole } from '../../../capabilities/proof/migration/migration.types.js';
import { STATE_NAMES } from '../common/account-states.js';
import { ADDRESSES } from '../common/addresses.js';
import { counted, formatCount } from '../common/format.js';
import type { FormFields } from '../common/parameters.js';
import { DateTime } from '../layout/date-time.js';
import { PostForm } from '../layout/form.js';
import { ofSupplier, type ConsoleAnswer } from '../layout/page.js';
import { Section } from '../layout/section.js';
import type { ShownCompletion } from './supplier-completion.service.js';

/** The page on which a supplier is completed. A complete supplier redirects to its own page. */
export function completionPage(completion: ShownCompletion, sent: FormFields = {}): ConsoleAnswer {
  const { supplier, counts, asOf, problem } = completion;
  const { code, name, status } = supplier;
  if (status === 'complete') return { location: ADDRESSES.supplier(code) };
  return {
    title: `Complete ${name}`,
    ...ofSupplier(supplier, 'settings'),
    status: problem === undefined ? undefined : 400,
    body: (
      <>
        {problem !== undefined && (
          <p class="notice notice-error" role="alert">
            {problem}
          </p>
        )}
        <p>
          Completing a supplier pauses it, waits for the import requests that are running, counts the rows of
          its accounts, and sets it to complete. After that nothing can be staged, imported or loaded.
        </p>
        {isWhole(counts) ? (
          <PostForm action={ADDRESSES.supplierCompletion(code)}>
            <p>Nothing is missing: every account is imported, and none differs from its control totals.</p>
            <button>Complete</button>
          </PostForm>
        ) : (
          <>
            <Missing code={code} counts={counts} />
            <Anyway code={code} sent={sent} />
          </>
        )}
        <p class="muted">
          {asOf ? (
            <>
              As of <DateTime at={asOf} />; the rows are counted when it is completed.
            </>
          ) : (
            'The rows of the accounts were counted now.'
          )}
        </p>
      </>
    ),
  };
}

/** Redirects to the supplier's page when it is now complete, and otherwise shows what is missing. */
export function answerToCompletion(completion: ShownCompletion, sent: FormFields): ConsoleAnswer {
  const { code, status } = completion.supplier;
  return status === 'complete'
    ? { location: ADDRESSES.settings(code, { changed: status }) }
    : completionPage(completion, sent);
}

function Missing({
  code,
  counts: { accounts, control },
}: Pick<ShownCompletion, 'counts'> & { code: string }): VNode {
  const states = (['pending', 'in_progress', 'failed'] as const).filter((state) => accounts[state] > 0);
  return (
    <Section id="missing" title="What is missing">
      <ul>
        {states.map((state) => (
          <li>
            <a href={ADDRESSES.accounts(code, { state })}>{counted(accounts[state], 'account')}</a>:{' '}
            {STATE_NAMES[state].toLowerCase()}
          </li>
        ))}
        {control.differ > 0 && (
          <li>
            <a href={ADDRESSES.differences(code)}>{counted(control.differ, 'account')}</a> of{' '}
            {formatCount(control.with)} with control totals: different
          </li>
        )}
      </ul>
    </Section>
  );
}

function Anyway({ code, sent }: { code: string; sent: FormFields }): VNode {
  return (
    <Section id="anyway" title="Complete anyway">
      <div class="card">
        <PostForm action={ADDRESSES.supplierCompletion(code)}>
          <input type="hidden" name="anyway" value="yes" />
          <p>What is missing stays missing. Your name, the reason and the counts are recorded.</p>
          <p>
            <label for="completion-code">
              Type the supplier’s code <code>{code}</code>
            </label>
            <br />
            <input id="completion-code" name="code" autocomplete="off" spellcheck={false} required />
          </p>
          <p>
            <label for="completion-reason">Reason</label>
            <br />
            <textarea id="completion-reason" name="reason" rows={3} cols={50} required>
              {sent.reason?.trim() ?? ''}
            </textarea>
          </p>
          <button class="danger">Complete anyway</button>
        </PostForm>
      </div>
    </Section>
  );
}
