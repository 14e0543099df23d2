import type { ComponentChildren, VNode } from 'preact';
import type {
  RefusedAccount,
  RefusedAccountStates,
} from '../../../capabilities/request-log/requests/refusals.types.js';
import { STATE_NAMES } from '../common/account-states.js';
import { ADDRESSES } from '../common/addresses.js';
import { counted, formatCount } from '../common/format.js';
import { accountColumn, AccountLink } from '../layout/account-link.js';
import { DateTime } from '../layout/date-time.js';
import { List } from '../layout/list.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { nearValues } from '../layout/refusal.js';
import { RequestLink } from '../layout/request-link.js';
import { Section } from '../layout/section.js';
import { Table, type Column } from '../layout/table.js';
import { causeAddress, causeColumns, failedAccounts } from './cause-parts.js';
import { STATES_MAX, type ShownCause } from './failures.types.js';

/** One cause: what failed, how often, examples, what to do, and the accounts. */
export function causePage(view: ShownCause): Page {
  const { supplier, period, refused } = view;
  const { code } = supplier;
  const failures = ADDRESSES.failures(code, { period });
  return {
    title: 'Cause of failures',
    ...ofSupplier(supplier, 'failures', { text: 'Failures', href: failures }),
    body: (
      <>
        <Table caption="Cause" kind="causes" rows={[view.cause]} columns={causeColumns(view)} />
        <Examples view={view} />
        <Actions view={view} />
        {refused?.states && <States view={view} states={refused.states} />}
        {refused && (
          <Section id="accounts" title="Accounts">
            <List
              list={refused.accounts}
              listed="accounts"
              empty="No more accounts."
              caption="Accounts by account number"
              columns={[accountColumn(code), ...COLUMNS]}
              addressOf={(after) => causeAddress(code, view.cause, period, after)}
            />
          </Section>
        )}
      </>
    ),
  };
}

/** Some of the failures, and the most common values that were rejected. */
function Examples({ view: { supplier, cause, refused, failed } }: { view: ShownCause }): VNode {
  const { values, samples = [] } = refused?.examples ?? {};
  const { refusal } = cause;
  const account = (accountNumber: string): VNode => (
    <AccountLink code={supplier.code} accountNumber={accountNumber} />
  );
  return (
    <div class="examples">
      <ExampleList
        title="Most common rejected values"
        examples={(values ?? []).map(({ value, count }) => (
          <>
            <code class="value">{value}</code> <span class="muted">{counted(count, 'request')}</span>
            {nearValues(refusal?.kind ?? null, refusal?.field ?? '', value)}
          </>
        ))}
      />
      <ExampleList
        title="Newest requests"
        examples={samples.map(({ requestId, externalAccountNumber, unknownField }) => (
          <>
            <RequestLink id={requestId} />, account {account(externalAccountNumber)}
            {unknownField !== null && (
              <>
                : <code>{unknownField}</code>
              </>
            )}
          </>
        ))}
      />
      <ExampleList
        title={failed.length < cause.count ? 'Some of the accounts' : 'Accounts'}
        examples={failed.map(({ externalAccountNumber, failure }) => (
          <>
            {account(externalAccountNumber)}: {failure}
          </>
        ))}
      />
    </div>
  );
}

function ExampleList({ title, examples }: { title: string; examples: readonly VNode[] }): VNode | null {
  if (examples.length === 0) return null;
  return (
    <div>
      <h2>{title}</h2>
      <ul>
        {examples.map((example) => (
          <li>{example}</li>
        ))}
      </ul>
    </div>
  );
}

function Actions({ view: { user, supplier, period, cause: named, refused } }: { view: ShownCause }): VNode {
  const { code } = supplier;
  const { cause } = named;
  const accounts = counted(named.count, 'account');
  const file = refused
    ? ADDRESSES.refusalsFile(code, { period, cause })
    : failedAccounts(code, cause, '.csv');
  return (
    <div class="actions">
      <a class="button plain" href={file}>
        CSV
      </a>
      {!refused && (
        <a class="button plain" href={failedAccounts(code, cause)}>
          {accounts}
        </a>
      )}
      {!refused && user.kind === 'operator' && (
        <a class="button" href={ADDRESSES.retry(code, { cause })}>
          Retry {accounts}
        </a>
      )}
    </div>
  );
}

/** The current states of the accounts that were not imported, and what to do about them. */
function States({ view, states }: { view: ShownCause; states: RefusedAccountStates }): VNode {
  const { code } = view.supplier;
  const isOperator = view.user.kind !== 'admin';
  const { accounts, pending, in_progress: inProgress, imported, failed, unknown } = states;
  const lines: readonly (readonly [count: number, name: string, next: ComponentChildren, list?: string])[] = [
    [unknown, 'never staged', isOperator ? STAGE : HAND_OVER],
    [pending, 'pending', isOperator ? IMPORT : WAIT, 'pending'],
    [inProgress, 'in progress', WAIT, 'in_progress'],
    [failed, 'failed', 'Correct their data.', 'failed'],
    [imported, 'imported since, or the requests have another platform number', 'Send the requests again.'],
  ];
  const visible = lines.filter(([count]) => count > 0);
  return (
    <Section id="states" title="These accounts now">
      <ul>
        {visible.map(([count, name, next, state]) => {
          const text = `${formatCount(count)} ${name}`;
          return (
            <li>
              {state === undefined ? text : <a href={ADDRESSES.accounts(code, { state })}>{text}</a>}. {next}
            </li>
          );
        })}
      </ul>
      {accounts === STATES_MAX && <p class="muted">{formatCount(STATES_MAX)} of the accounts are counted.</p>}
    </Section>
  );
}

const STAGE = (
  <>
    Correct the numbers, or stage the accounts with <code>data-import accounts stage</code>.
  </>
);
const HAND_OVER = 'Correct the numbers, or give the data of these accounts to the operators of the platform.';
const IMPORT = (
  <>
    <code>data-import accounts import</code> imports what is pending; then send the requests again.
  </>
);
const WAIT = 'Send the requests again when the accounts are imported.';

const COLUMNS: readonly Column<RefusedAccount>[] = [
  { head: 'Requests', kind: 'number', cell: ({ count }) => formatCount(count) },
  { head: 'First', cell: ({ firstAt }) => <DateTime at={firstAt} relative /> },
  { head: 'Last', cell: ({ lastAt }) => <DateTime at={lastAt} relative /> },
  { head: 'State now', cell: ({ state }) => (state === null ? 'Never staged' : STATE_NAMES[state]) },
];
