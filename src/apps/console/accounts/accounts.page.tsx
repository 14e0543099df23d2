import type { VNode } from 'preact';
import {
  HAS_LOAD,
  LISTED_STATES,
  type AccountListFilter,
  type ListedAccount,
  type Load,
} from '../../../accounts/lists/account-lists.types.js';
import { STATE_NAMES } from '../common/account-states.js';
import { ADDRESSES } from '../common/addresses.js';
import { formatCount } from '../common/format.js';
import { ControlStateText } from '../differences/compared-totals.js';
import { accountColumn } from '../layout/account-link.js';
import { DateTime } from '../layout/date-time.js';
import { Filters } from '../layout/filters.js';
import { List } from '../layout/list.js';
import type { ListView } from '../layout/list.types.js';
import { ofSupplier, type Page } from '../layout/page.js';
import type { Column } from '../layout/table.js';

/** The accounts of a supplier that match the filters. */
export function accountsPage({ supplier, filter, list }: ListView<ListedAccount, AccountListFilter>): Page {
  const { code } = supplier;
  const parameters = parametersOf(filter);
  return {
    title: 'Accounts',
    ...ofSupplier(supplier, 'accounts'),
    body: (
      <>
        <AccountFilters code={code} filter={filter} />
        <List
          list={list}
          listed="accounts"
          kind="lines"
          caption="Accounts by account number"
          columns={[accountColumn(code), ...COLUMNS]}
          addressOf={(after) => ADDRESSES.accounts(code, { ...parameters, after })}
          file={ADDRESSES.accountsFile(code, parameters)}
          empty="No account matches."
        />
      </>
    ),
  };
}

/** The filters as parameters of an address. */
function parametersOf({
  differs,
  ...others
}: AccountListFilter): Readonly<Record<string, string | undefined>> {
  return { ...others, differs: differs === true ? '1' : undefined };
}

const LOAD_NAMES: Readonly<Record<Load, string>> = { none: 'None', some: 'At least one' };

function AccountFilters({ code, filter }: { code: string; filter: AccountListFilter }): VNode {
  const { state, load, differs, cause } = parametersOf(filter);
  return (
    <Filters
      action={ADDRESSES.accounts(code)}
      filters={[
        {
          ...{ name: 'state', label: 'State', value: state },
          options: LISTED_STATES.map((one) => [one, STATE_NAMES[one]]),
        },
        {
          ...{ name: 'load', label: 'Requests', value: load },
          options: HAS_LOAD.map((one) => [one, LOAD_NAMES[one]]),
        },
        { name: 'differs', label: 'Control totals', value: differs, options: [['1', 'Differ']] },
        ...(cause === undefined ? [] : [{ name: 'cause', label: 'Failure', value: cause }]),
      ]}
    />
  );
}

const COLUMNS: readonly Column<ListedAccount>[] = [
  {
    head: 'State',
    cell: ({ state }) => <span class={`badge badge-${state}`}>{STATE_NAMES[state]}</span>,
  },
  { head: 'Platform number', cell: ({ serviceAccountNumber }) => serviceAccountNumber },
  { head: 'Imported', cell: ({ accountCreatedAt }) => <DateTime at={accountCreatedAt} /> },
  { head: 'Requests', kind: 'number', cell: ({ requests }) => formatCount(requests) },
  { head: 'Last stored', cell: ({ lastRequestAt }) => <DateTime at={lastRequestAt} /> },
  { head: 'Control totals', cell: ({ control }) => control !== null && <ControlStateText state={control} /> },
  { head: 'Failure', cell: ({ failure }) => failure },
];
