import type { VNode } from 'preact';
import {
  LISTED_STATES,
  HAS_LOAD,
  type AccountListFilter,
  type ListedAccount,
  type Load,
} from '../../../accounts/lists/account-lists.types.js';
import { shellWord } from '../../../infrastructure/text/shell-word.js';
import { STATE_NAMES } from '../common/account-states.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { counted, formatCount } from '../common/format.js';
import type { FormFields } from '../common/parameters.js';
import { retriedOf } from '../common/retried.js';
import { ControlStateText } from '../differences/compared-totals.js';
import { accountColumn } from '../layout/account-link.js';
import { DateTime } from '../layout/date-time.js';
import { PostForm } from '../layout/form.js';
import { ofSupplier, type ConsoleAnswer, type Page } from '../layout/page.js';
import { Pager } from '../layout/pager.js';
import { retryPage } from '../layout/retry-page.js';
import { Select } from '../layout/filter-fields.js';
import { Table, type Column } from '../layout/table.js';
import { chosenField, chosenNumbers, CONFIRMED, filterParameters } from './accounts-query.js';
import type { AccountsView, RetryAnswer } from './accounts.types.js';

/** The accounts of a supplier that match the filters. */
export function accountsPage(view: AccountsView): Page {
  const { user, supplier, query, filter, accounts } = view;
  const { code } = supplier;
  const parameters = filterParameters(filter);
  const address = ADDRESSES.accounts(code, parameters);
  const mayRetry = user.kind === 'operator' && accounts.rows.some(({ state }) => state === 'failed');
  const retried = retriedOf(query);
  const list = <AccountTable code={code} accounts={accounts.rows} mayChoose={mayRetry} />;
  return {
    title: 'Accounts',
    ...ofSupplier(supplier, 'accounts'),
    body: (
      <>
        {retried !== undefined && (
          <p class="notice" role="status">
            {counted(retried, 'account is', 'accounts are')} pending again.
            {user.kind === 'operator' && (
              <>
                {' '}
                <code>data-import accounts import {shellWord(code)}</code> imports what is pending.
              </>
            )}
          </p>
        )}
        <Filters code={code} filter={filter} />
        {accounts.rows.length === 0 && (
          <p class="empty">{accounts.isContinued ? 'No more accounts.' : 'No account matches.'}</p>
        )}
        {accounts.rows.length === 0 && !accounts.isContinued && address === ADDRESSES.accounts(code) && (
          <NoAccount user={user} code={code} />
        )}
        {accounts.rows.length > 0 && (
          <>
            <p>
              <a href={ADDRESSES.accountsFile(code, parameters)}>Download all as CSV</a>
            </p>
            {mayRetry ? (
              <PostForm action={address}>
                {list}
                <p>
                  <button>Retry the selected accounts…</button>
                </p>
              </PostForm>
            ) : (
              list
            )}
          </>
        )}
        <Pager page={accounts} addressOf={(after) => ADDRESSES.accounts(code, { ...parameters, after })} />
      </>
    ),
  };
}

/** The next step for a supplier without any account. */
function NoAccount({ user, code }: Pick<AccountsView, 'user'> & { code: string }): VNode {
  return user.kind === 'operator' ? (
    <p>
      The command <code>data-import accounts stage {shellWord(code)} FILE</code> stages accounts.
    </p>
  ) : (
    <p>Give the file of your accounts to the operators of the platform, who stage and import them.</p>
  );
}

const LOAD_NAMES: Readonly<Record<Load, string>> = { none: 'None', some: 'At least one' };

/** Asks for confirmation before the chosen accounts are retried, and leads back to the list afterwards. */
export function answerToRetry(
  { supplier, filter }: Pick<AccountsView, 'supplier' | 'filter'>,
  answer: RetryAnswer,
  form: FormFields,
): ConsoleAnswer {
  const parameters = filterParameters(filter);
  const list = ADDRESSES.accounts(supplier.code);
  const action = withQuery(list, parameters);
  if ('retried' in answer)
    return { location: withQuery(list, { ...parameters, retried: String(answer.retried) }) };
  const chosen = chosenNumbers(form).map((value, index) => [chosenField(index), value] as const);
  return retryPage({
    ...{ question: answer.question, part: 'accounts', above: { text: 'Accounts', href: action }, action },
    fields: { ...Object.fromEntries(chosen), [CONFIRMED]: 'yes' },
  });
}

function Filters({ code, filter }: { code: string; filter: AccountListFilter }): VNode {
  const { state, load, differs, cause } = filter;
  return (
    <form class="filters" action={ADDRESSES.accounts(code)}>
      <Select
        name="state"
        label="State"
        chosen={state}
        options={LISTED_STATES.map((value) => ({ value, text: STATE_NAMES[value] }))}
      />
      <Select
        name="load"
        label="Requests"
        chosen={load}
        options={HAS_LOAD.map((value) => ({ value, text: LOAD_NAMES[value] }))}
      />
      <Select
        name="differs"
        label="Control totals"
        chosen={differs === true ? '1' : undefined}
        options={[{ value: '1', text: 'Differ' }]}
      />
      {cause !== undefined && (
        <label>
          <input type="checkbox" name="cause" value={cause} checked /> {cause}
        </label>
      )}
      <button>Filter</button>
    </form>
  );
}

interface AccountTableProps {
  readonly code: string;
  readonly accounts: readonly ListedAccount[];
  /** Whether failed accounts can be chosen. */
  readonly mayChoose: boolean;
}

function AccountTable({ code, accounts, mayChoose }: AccountTableProps): VNode {
  const chosen: Column<ListedAccount> = {
    head: 'Select',
    cell: ({ state, externalAccountNumber: value }, index) =>
      state === 'failed' && (
        <label class="choose">
          <input type="checkbox" name={chosenField(index)} value={value} aria-label={`Select ${value}`} />
        </label>
      ),
  };
  return (
    <Table
      caption="Accounts by account number"
      rows={accounts}
      columns={[...(mayChoose ? [chosen] : []), accountColumn(code), ...COLUMNS]}
    />
  );
}

const COLUMNS: readonly Column<ListedAccount>[] = [
  { head: 'State', cell: ({ state }) => STATE_NAMES[state] },
  { head: 'Platform number', cell: ({ serviceAccountNumber }) => serviceAccountNumber },
  { head: 'Imported', cell: ({ accountCreatedAt }) => <DateTime at={accountCreatedAt} /> },
  { head: 'Requests', kind: 'number', cell: ({ requests }) => formatCount(requests) },
  { head: 'Last request', cell: ({ lastRequestAt }) => <DateTime at={lastRequestAt} /> },
  { head: 'Control totals', cell: ({ control }) => control !== null && <ControlStateText state={control} /> },
  { head: 'Failure', cell: ({ failure }) => failure },
];
