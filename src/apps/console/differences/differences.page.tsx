import { CONTROL_NAMES } from '../../../accounts/counts/account-counts.queries.js';
import {
  DIFFERENCE_NAMES,
  type ControlCounts,
  type Difference,
} from '../../../accounts/counts/account-counts.types.js';
import { ADDRESSES } from '../common/addresses.js';
import { accountColumn } from '../layout/account-link.js';
import { List } from '../layout/list.js';
import type { ListView } from '../layout/list.types.js';
import { ofSupplier, type Page } from '../layout/page.js';
import type { Column } from '../layout/table.js';
import { ControlText } from '../progress/progress-parts.js';
import { comparison, ControlStateText, differentParts, partLabel } from './compared-totals.js';
import type { DifferingAccount } from './differences.types.js';

/** The accounts of a supplier that differ from their control totals, all of them or those with one kind of difference. */
export function differencesPage(
  { supplier, filter: state, list }: ListView<DifferingAccount, Difference | undefined>,
  control: ControlCounts,
): Page {
  const { code } = supplier;
  return {
    title: `Control total mismatches${state === undefined ? '' : `: ${DIFFERENCE_NAMES[state].toLowerCase()}`}`,
    ...ofSupplier(supplier, 'differences'),
    body: (
      <>
        <p>The control totals of the accounts, compared with what their import requests stored.</p>
        <ControlText code={code} control={control} />
        {state !== undefined && <a href={ADDRESSES.differences(code)}>All mismatches</a>}
        <List
          list={list}
          listed="accounts differ from their control totals"
          caption="Accounts by account number"
          columns={columnsOf(code, list.rows)}
          addressOf={(after) => ADDRESSES.differences(code, { state, after })}
          file={ADDRESSES.differencesFile(code, { state })}
          empty={
            control.with === 0
              ? 'No control totals are set.'
              : `No account differs from its control totals${state === undefined ? '' : ' in this way'}.`
          }
        />
      </>
    ),
  };
}

/** One row for each account, with a column for each part in which any of them differs. */
function columnsOf(code: string, accounts: readonly DifferingAccount[]): Column<DifferingAccount>[] {
  const different = new Map(accounts.map((account) => [account, differentParts(account)]));
  const parts = CONTROL_NAMES.filter((name) => [...different.values()].some((of) => of.has(name)));
  return [
    accountColumn(code),
    { head: 'Mismatch', cell: ({ state }) => <ControlStateText state={state} /> },
    ...parts.map((name): Column<DifferingAccount> => ({
      head: partLabel(name),
      kind: 'number',
      cell: (account) => {
        const part = different.get(account)?.get(name);
        return part && comparison(part);
      },
    })),
  ];
}
