import { ADDRESSES, withQuery } from '../common/addresses.js';
import { breadcrumbs, type Page } from '../layout/page.js';
import { Pager } from '../layout/pager.js';
import { Table } from '../layout/table.js';
import { ControlText } from '../progress/progress-parts.js';
import { PART_COLUMNS, partsOf } from './compared-totals.js';
import type { Differences } from './differences.types.js';

/** The accounts of a supplier that differ from their control totals. */
export function differencesPage({ supplier, control, accounts, next, isFirst }: Differences): Page {
  const { code } = supplier;
  const address = ADDRESSES.differences(code);
  const parts = accounts.flatMap((account) =>
    partsOf(account).map((part) => ({ ...part, number: account.externalAccountNumber })),
  );
  return {
    title: 'Accounts that differ',
    place: 'overview',
    breadcrumbs: breadcrumbs(supplier),
    body: (
      <>
        <p>
          What the supplier says that an account must hold, and what its import requests have stored. The
          command <code>migration differences</code> counts the rows.
        </p>
        <ControlText code={code} control={control} />
        {accounts.length === 0 ? (
          <p class="empty">
            {control.with === 0
              ? 'Nothing is known of what the accounts must hold.'
              : isFirst
                ? 'No account differs from its control totals.'
                : 'No further account differs from its control totals.'}
          </p>
        ) : (
          <Table
            caption="Accounts in the order of their numbers"
            rows={parts}
            columns={[
              {
                head: 'Account',
                kind: 'row',
                cell: ({ number }) => <a href={ADDRESSES.account(code, number)}>{number}</a>,
              },
              ...PART_COLUMNS,
            ]}
          />
        )}
        <Pager
          first={isFirst ? undefined : address}
          next={next === undefined ? undefined : withQuery(address, { after: next })}
        />
      </>
    ),
  };
}
