import type { VNode } from 'preact';
import { shellWord } from '../../common/shell-word.js';
import { CONTROL_NAMES } from '../../totals/account-counts.queries.js';
import { DIFFERENCE_NAMES, isWrong } from '../../totals/account-counts.types.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { usePageContext } from '../layout/page-context.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { NumberedPager } from '../layout/pager.js';
import { Table, type Column } from '../layout/table.js';
import { ControlText } from '../progress/progress-parts.js';
import { comparison, partLabel, partsOf, type PartName } from './compared-totals.js';
import type { Differences, DifferingAccount } from './differences.types.js';

/** The accounts of a supplier that differ from their control totals, all or those that differ in one way. */
export function differencesPage(view: Differences): Page {
  const { supplier, control, state, accounts } = view;
  const { code } = supplier;
  const address = withQuery(ADDRESSES.differences(code), { state });
  return {
    title: `Control total mismatches${state === undefined ? '' : `: ${DIFFERENCE_NAMES[state].toLowerCase()}`}`,
    ...ofSupplier(supplier, 'differences'),
    body: (
      <>
        <p>
          The control totals of the accounts, compared with what their import requests stored.
          <RowsCommand code={code} />
        </p>
        <ControlText code={code} control={control} />
        {accounts.rows.length === 0 ? (
          <p class="empty">{emptyText(view)}</p>
        ) : (
          <>
            <p>
              {state !== undefined && (
                <>
                  <a href={ADDRESSES.differences(code)}>All mismatches</a>{' '}
                </>
              )}
              <a href={withQuery(`${ADDRESSES.differences(code)}.csv`, { state })}>Download all as CSV</a>
            </p>
            <DifferingAccounts code={code} accounts={accounts.rows} />
          </>
        )}
        <NumberedPager page={accounts} address={address} />
      </>
    ),
  };
}

/** For an operator, who can run it. */
function RowsCommand({ code }: { code: string }): VNode | null {
  if (usePageContext().viewer?.kind !== 'operator') return null;
  return (
    <>
      {' '}
      The command <code>data-import migration differences {shellWord(code)}</code> counts the rows.
    </>
  );
}

function emptyText({ control, state, accounts: { isFirst } }: Differences): string {
  if (control.with === 0) return 'No control totals are set.';
  if (!isFirst) return 'No more accounts differ from their control totals.';
  return state === undefined
    ? 'No account differs from its control totals.'
    : 'No account differs from its control totals in this way.';
}

/** One row an account, with a column for each part in which one of them differs. */
function DifferingAccounts({
  code,
  accounts,
}: {
  code: string;
  accounts: readonly DifferingAccount[];
}): VNode {
  const rows = accounts.map((account) => ({
    account,
    different: new Map(partsOf(account).flatMap((part) => (part.isDifferent ? [[part.part, part]] : []))),
  }));
  type Row = (typeof rows)[number];
  const parts: readonly PartName[] = CONTROL_NAMES.filter((name) =>
    rows.some(({ different }) => different.has(name)),
  );
  return (
    <Table
      caption="Accounts by account number"
      rows={rows}
      columns={[
        {
          head: 'Account',
          kind: 'row',
          cell: ({ account: { externalAccountNumber: number } }: Row) => (
            <a href={ADDRESSES.account(code, number)}>{number}</a>
          ),
        },
        { head: 'Mismatch', cell: ({ account }: Row) => <How account={account} /> },
        ...parts.map((name): Column<Row> => ({
          head: partLabel(name),
          kind: 'number',
          cell: ({ different }) => {
            const part = different.get(name);
            return part && comparison(part);
          },
        })),
      ]}
    />
  );
}

function How({ account: { state } }: { account: DifferingAccount }): VNode {
  return isWrong(state) ? (
    <strong class="wrong">{DIFFERENCE_NAMES[state]}</strong>
  ) : (
    <>{DIFFERENCE_NAMES[state]}</>
  );
}
