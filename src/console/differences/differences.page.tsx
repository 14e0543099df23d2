import type { VNode } from 'preact';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { Table } from '../layout/table.js';
import type { Page } from '../layout/page.js';
import { ControlText } from '../progress/progress-parts.js';
import { PartCells, PartHeads, partsOf } from './compared-totals.js';
import type { Differences, DifferingAccount } from './differences.types.js';

/** The accounts of a supplier that differ from their control totals. */
export function differencesPage({ supplier, control, accounts, next, isFirst }: Differences): Page {
  const { code, name } = supplier;
  const address = ADDRESSES.differences(code);
  return {
    title: 'Accounts that differ',
    place: 'overview',
    above: [
      { text: 'Overview', href: ADDRESSES.overview },
      { text: name, href: ADDRESSES.supplier(code) },
    ],
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
          <Accounts code={code} accounts={accounts} />
        )}
        {(!isFirst || next !== undefined) && (
          <nav class="pager" aria-label="Pages">
            {!isFirst && <a href={address}>First page</a>}
            {next !== undefined && (
              <a href={withQuery(address, { after: next })} rel="next">
                Next page
              </a>
            )}
          </nav>
        )}
      </>
    ),
  };
}

function Accounts({ code, accounts }: { code: string; accounts: readonly DifferingAccount[] }): VNode {
  return (
    <Table caption="Accounts in the order of their numbers">
      <thead>
        <tr>
          <th scope="col">Account</th>
          <PartHeads />
        </tr>
      </thead>
      <tbody>
        {accounts.flatMap((account) =>
          partsOf(account).map((part) => (
            <tr key={`${account.externalAccountNumber} ${part.name}`}>
              <th scope="row" class="path">
                <a href={ADDRESSES.account(code, account.externalAccountNumber)}>
                  {account.externalAccountNumber}
                </a>
              </th>
              <PartCells part={part} />
            </tr>
          )),
        )}
      </tbody>
    </Table>
  );
}
