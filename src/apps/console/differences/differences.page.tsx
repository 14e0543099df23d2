import type { VNode } from 'preact';
import { shellWord } from '../../../infrastructure/text/shell-word.js';
import { CONTROL_NAMES } from '../../../accounts/counts/account-counts.queries.js';
import { DIFFERENCE_NAMES } from '../../../accounts/counts/account-counts.types.js';
import { ADDRESSES } from '../common/addresses.js';
import { accountColumn } from '../layout/account-link.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Pager } from '../layout/pager.js';
import { Table, type Column } from '../layout/table.js';
import { ControlText } from '../progress/progress-parts.js';
import { comparison, ControlStateText, partLabel, partsOf, type PartName } from './compared-totals.js';
import type { Differences, DifferingAccount } from './differences.types.js';

/** The accounts of a supplier that differ from their control totals, all of them or those with one kind of difference. */
export function differencesPage(view: Differences): Page {
  const { user, supplier, control, state, accounts } = view;
  const { code } = supplier;
  return {
    title: `Control total mismatches${state === undefined ? '' : `: ${DIFFERENCE_NAMES[state].toLowerCase()}`}`,
    ...ofSupplier(supplier, 'differences'),
    body: (
      <>
        <p>
          The control totals of the accounts, compared with what their import requests stored.
          {user.kind === 'operator' && (
            <>
              {' '}
              The command <code>data-import migration differences {shellWord(code)}</code> counts the rows.
            </>
          )}
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
              <a href={ADDRESSES.differencesFile(code, { state })}>Download all as CSV</a>
            </p>
            <DifferingAccounts code={code} accounts={accounts.rows} />
          </>
        )}
        <Pager page={accounts} addressOf={(after) => ADDRESSES.differences(code, { state, after })} />
      </>
    ),
  };
}

function emptyText({ control, state, accounts: { isContinued } }: Differences): string {
  if (control.with === 0) return 'No control totals are set.';
  if (isContinued) return 'No more accounts differ from their control totals.';
  return state === undefined
    ? 'No account differs from its control totals.'
    : 'No account differs from its control totals in this way.';
}

/** One row for each account, with a column for each part in which any of them differs. */
function DifferingAccounts({
  code,
  accounts,
}: {
  code: string;
  accounts: readonly DifferingAccount[];
}): VNode {
  const rows = accounts.map((account) => ({
    ...account,
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
        accountColumn(code),
        { head: 'Mismatch', cell: ({ state }: Row) => <ControlStateText state={state} /> },
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
