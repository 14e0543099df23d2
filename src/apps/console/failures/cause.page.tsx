import type { ComponentChildren, VNode } from 'preact';
import { didYouMean } from '../../../infrastructure/text/near-matches.js';
import type {
  RefusedAccount,
  RefusedAccountStates,
} from '../../../capabilities/request-log/requests/refusals.types.js';
import { STATE_NAMES } from '../common/account-states.js';
import { ADDRESSES } from '../common/addresses.js';
import { counted, formatCount } from '../common/format.js';
import { accountColumn, AccountLink } from '../layout/account-link.js';
import { DateTime } from '../layout/date-time.js';
import { Pager } from '../layout/pager.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Statistics } from '../layout/pairs.js';
import { RequestLink } from '../layout/request-link.js';
import { Section } from '../layout/section.js';
import { Table, type Column } from '../layout/table.js';
import {
  causeAddress,
  CauseFacts,
  CauseTitle,
  failedAccounts,
  refusedRequests,
  Remedy,
  Trend,
} from './cause-parts.js';
import { Failing } from './failures.page.js';
import { PERIODS, STATES_MAX, type ShownCause } from './failures.types.js';

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
        <Card view={view} />
        {refused?.states && <States view={view} states={refused.states} />}
        {refused && <Accounts view={view} accounts={refused.accounts} />}
      </>
    ),
  };
}

function Card({ view }: { view: ShownCause }): VNode {
  const { user, supplier, period, cause, refused } = view;
  const { code } = supplier;
  const { firstAt, lastAt, count } = cause;
  return (
    <section class="card cause" aria-labelledby="cause">
      <h2 id="cause">
        <CauseTitle cause={cause} />
      </h2>
      <p class="muted">
        <CauseFacts cause={cause} />
      </p>
      <Statistics
        pairs={[
          [refused ? `Requests in the ${PERIODS[period].words}` : 'Accounts', formatCount(count)],
          ['First', firstAt && <DateTime at={firstAt} relative />],
          ['Last', lastAt && <DateTime at={lastAt} relative />],
          ['Still failing', <Failing cause={cause} />],
          [`Trend of the ${PERIODS[period].words}`, <Trend cause={cause} period={period} />],
        ]}
      />
      <h3>What to do</h3>
      <p>
        <Remedy cause={cause} user={user} />
      </p>
      <div class="examples">
        {refused ? <RefusalExamplesList code={code} refused={refused} /> : <FailedExamples view={view} />}
      </div>
      <div class="actions">
        {refused ? (
          <a class="button plain" href={refusedRequests(code, period, cause.cause)}>
            CSV
          </a>
        ) : (
          <>
            <a class="button plain" href={failedAccounts(code, cause.cause)}>
              {counted(count, 'account')}
            </a>
            <a class="button plain" href={failedAccounts(code, cause.cause, '.csv')}>
              CSV
            </a>
            {user.kind === 'operator' && (
              <a class="button" href={ADDRESSES.retry(code, { cause: cause.cause })}>
                Retry {counted(count, 'account')}
              </a>
            )}
          </>
        )}
      </div>
    </section>
  );
}

function RefusalExamplesList({
  code,
  refused: { examples, allowed },
}: {
  code: string;
  refused: NonNullable<ShownCause['refused']>;
}): VNode {
  const { values, samples } = examples;
  return (
    <>
      {values && values.length > 0 && (
        <div>
          <h3>{values.length === 1 ? 'Rejected value' : 'Most common rejected values'}</h3>
          <ul>
            {values.map((refused) => (
              <li>
                <code class="value">{refused.value}</code>{' '}
                <span class="muted">{counted(refused.count, 'request')}</span>
                {didYouMean(refused.value, allowed)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div>
        <h3>{samples.length === 1 ? 'Request' : 'Newest requests'}</h3>
        <ul>
          {samples.map(({ requestId, externalAccountNumber, unknownField }) => (
            <li>
              <RequestLink id={requestId} />
              {', account '}
              <AccountLink code={code} accountNumber={externalAccountNumber} />
              {unknownField !== null && (
                <>
                  {': '}
                  <code>{unknownField}</code>
                </>
              )}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function FailedExamples({ view: { supplier, failed, cause } }: { view: ShownCause }): VNode {
  return (
    <div>
      <h3>{failed.length < cause.count ? 'Some of the accounts' : 'Accounts'}</h3>
      <ul>
        {failed.map(({ externalAccountNumber, failure }) => (
          <li>
            <AccountLink code={supplier.code} accountNumber={externalAccountNumber} />: {failure}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The current states of the accounts that were not imported, and what to do about them. */
function States({ view, states }: { view: ShownCause; states: RefusedAccountStates }): VNode {
  const { code } = view.supplier;
  const isOperator = view.user.kind === 'operator';
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

function Accounts({
  view: { supplier, cause, period },
  accounts,
}: {
  view: ShownCause;
  accounts: NonNullable<ShownCause['refused']>['accounts'];
}): VNode {
  const { code } = supplier;
  return (
    <Section id="accounts" title="Accounts">
      {accounts.rows.length === 0 ? (
        <p class="empty">No more accounts.</p>
      ) : (
        <Table
          caption="Accounts by account number"
          rows={accounts.rows}
          columns={[accountColumn(code), ...COLUMNS]}
        />
      )}
      <Pager page={accounts} addressOf={(after) => causeAddress(code, cause, period, after)} />
    </Section>
  );
}

const COLUMNS: readonly Column<RefusedAccount>[] = [
  { head: 'Requests', kind: 'number', cell: ({ count }) => formatCount(count) },
  { head: 'First', cell: ({ firstAt }) => <DateTime at={firstAt} relative /> },
  { head: 'Last', cell: ({ lastAt }) => <DateTime at={lastAt} relative /> },
  { head: 'State now', cell: ({ state }) => (state === null ? 'Never staged' : STATE_NAMES[state]) },
];
