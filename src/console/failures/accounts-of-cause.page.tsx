import { ADDRESSES } from '../common/addresses.js';
import { formatCount } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Pager } from '../layout/pager.js';
import { Table, type Column } from '../layout/table.js';
import { AccountLink, CauseCard, causeAddress, RetryForm } from './cause-card.js';
import type { AccountsOfCause, FailedAccount } from './failures.types.js';

/** The accounts with failures of one cause. */
export function accountsOfCausePage(view: AccountsOfCause): Page {
  const { supplier, source, period, cause, accounts, next, isFirst, mayRetry } = view;
  const { code } = supplier;
  const account: Column<FailedAccount> = {
    head: 'Account',
    kind: 'row',
    cell: ({ externalAccountNumber: number }) => <AccountLink code={code} number={number} />,
  };
  const addressOf = (from?: string): string =>
    causeAddress(code, source, { period, cause: cause.cause, from });
  return {
    title:
      source === 'refusals' ? 'Accounts with one cause of refusal' : 'Accounts with one cause of failure',
    ...ofSupplier(supplier, 'failures', { text: 'Failures', href: ADDRESSES.failures(code) }),
    body: (
      <>
        <CauseCard {...{ cause, source, code, period, mayRetry }} isPage />
        <Table
          caption="Accounts in the order of their numbers"
          rows={accounts}
          columns={[
            account,
            ...(source === 'refusals' ? REFUSED : FAILED),
            ...(mayRetry ? [retryColumn(code)] : []),
          ]}
        />
        <Pager
          first={isFirst ? undefined : addressOf()}
          next={next === undefined ? undefined : addressOf(next)}
        />
      </>
    ),
  };
}

const REFUSED: readonly Column<FailedAccount>[] = [
  { head: 'Requests', kind: 'number', cell: ({ count }) => formatCount(count ?? 0) },
  { head: 'First', cell: ({ firstAt }) => <DateTime at={firstAt} /> },
  { head: 'Last', cell: ({ lastAt }) => <DateTime at={lastAt} /> },
];

const FAILED: readonly Column<FailedAccount>[] = [
  { head: 'Failed', cell: ({ lastAt }) => <DateTime at={lastAt} /> },
  { head: 'Why', cell: ({ failure }) => failure },
];

function retryColumn(code: string): Column<FailedAccount> {
  return {
    head: 'Action',
    cell: ({ externalAccountNumber: number }) => (
      <RetryForm code={code} number={number}>
        <button class="plain" aria-label={`Retry ${number}`}>
          Retry
        </button>
      </RetryForm>
    ),
  };
}
