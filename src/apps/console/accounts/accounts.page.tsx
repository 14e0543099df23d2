import type { VNode } from 'preact';
import {
  HAS_LOAD,
  LISTED_STATES,
  type AccountListFilter,
  type ListedAccount,
  type Load,
} from '../../../accounts/lists/account-lists.types.js';
import { shellWord } from '../../../infrastructure/text/shell-word.js';
import { STATE_NAMES } from '../common/account-states.js';
import { ADDRESSES } from '../common/addresses.js';
import { counted, formatCount } from '../common/format.js';
import type { FormFields } from '../common/parameters.js';
import { retriedOf } from '../common/retried.js';
import type { RetryAnswer } from '../common/retry-question.js';
import { ControlStateText } from '../differences/compared-totals.js';
import { accountColumn } from '../layout/account-link.js';
import { DateTime } from '../layout/date-time.js';
import { Filters } from '../layout/filters.js';
import { PostForm } from '../layout/form.js';
import { List } from '../layout/list.js';
import type { ListView } from '../layout/list.types.js';
import { ofSupplier, type ConsoleAnswer, type Page } from '../layout/page.js';
import { retryPage } from '../layout/retry-page.js';
import type { Column } from '../layout/table.js';
import { chosenField, chosenNumbers, CONFIRMED } from './chosen-accounts.js';

type AccountsView = ListView<ListedAccount, AccountListFilter>;

/** The accounts of a supplier that match the filters. */
export function accountsPage(view: AccountsView): Page {
  const { user, supplier, query, filter, list } = view;
  const { code } = supplier;
  const parameters = parametersOf(filter);
  const address = ADDRESSES.accounts(code, parameters);
  const retried = retriedOf(query);
  const mayRetry = user.kind === 'operator' && list.rows.some(({ state }) => state === 'failed');
  return {
    title: 'Accounts',
    ...ofSupplier(supplier, 'accounts'),
    body: (
      <>
        {retried !== undefined && (
          <p class="notice" role="status">
            {counted(retried, 'account is', 'accounts are')} pending again.{' '}
            {user.kind !== 'admin' && (
              <>
                <code>data-import accounts import {shellWord(code)}</code> imports what is pending.
              </>
            )}
          </p>
        )}
        <AccountFilters code={code} filter={filter} />
        <List
          list={list}
          listed="accounts"
          kind="lines"
          caption="Accounts by account number"
          columns={[...(mayRetry ? [CHOSEN] : []), accountColumn(code), ...COLUMNS]}
          addressOf={(after) => ADDRESSES.accounts(code, { ...parameters, after })}
          file={ADDRESSES.accountsFile(code, parameters)}
          empty={
            <>
              No account matches. {address === ADDRESSES.accounts(code) && <NoAccount {...{ user, code }} />}
            </>
          }
          {...(mayRetry && {
            inForm: (table) => (
              <PostForm action={address}>
                {table}
                <p>
                  <button>Retry the selected accounts…</button>
                </p>
              </PostForm>
            ),
          })}
        />
      </>
    ),
  };
}

/** The next step for a supplier without any account. */
function NoAccount({ user, code }: Pick<AccountsView, 'user'> & { code: string }): VNode {
  return user.kind !== 'admin' ? (
    <>
      The command <code>data-import accounts stage {shellWord(code)} FILE</code> stages accounts.
    </>
  ) : (
    <>Give the file of your accounts to the operators of the platform, who stage and import them.</>
  );
}

/** Asks for confirmation before the chosen accounts are retried, and leads back to the list afterwards. */
export function answerToRetry(
  { supplier: { code }, filter }: Pick<AccountsView, 'supplier' | 'filter'>,
  answer: RetryAnswer,
  form: FormFields,
): ConsoleAnswer {
  const parameters = parametersOf(filter);
  if ('retried' in answer)
    return { location: ADDRESSES.accounts(code, { ...parameters, retried: String(answer.retried) }) };
  const action = ADDRESSES.accounts(code, parameters);
  const chosen = chosenNumbers(form).map((value, index) => [chosenField(index), value] as const);
  return retryPage({
    ...{ question: answer.question, part: 'accounts', above: { text: 'Accounts', href: action }, action },
    fields: { ...Object.fromEntries(chosen), [CONFIRMED]: 'yes' },
  });
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

const CHOSEN: Column<ListedAccount> = {
  head: 'Select',
  cell: ({ state, externalAccountNumber: value }, index) =>
    state === 'failed' && (
      <label class="choose">
        <input type="checkbox" name={chosenField(index)} value={value} aria-label={`Select ${value}`} />
      </label>
    ),
};

const COLUMNS: readonly Column<ListedAccount>[] = [
  {
    head: 'State',
    cell: ({ state }) => <span class={`badge badge-${state}`}>{STATE_NAMES[state]}</span>,
  },
  { head: 'Platform number', cell: ({ serviceAccountNumber }) => serviceAccountNumber },
  { head: 'Imported', cell: ({ accountCreatedAt }) => <DateTime at={accountCreatedAt} /> },
  { head: 'Requests', kind: 'number', cell: ({ requests }) => formatCount(requests) },
  { head: 'Last request', cell: ({ lastRequestAt }) => <DateTime at={lastRequestAt} /> },
  { head: 'Control totals', cell: ({ control }) => control !== null && <ControlStateText state={control} /> },
  { head: 'Failure', cell: ({ failure }) => failure },
];
