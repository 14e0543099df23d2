import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import type { Column } from './table.js';

/** The number of an account as a link to its page. A request may have no number. */
export function AccountLink({ code, accountNumber }: { code: string; accountNumber: string }): VNode {
  return accountNumber === '' ? (
    <span class="muted">no account number</span>
  ) : (
    <a href={ADDRESSES.account(code, accountNumber)} title={accountNumber}>
      {accountNumber}
    </a>
  );
}

/** The column that names the account of a row. @param code of the supplier */
export function accountColumn(code: string): Column<{ readonly externalAccountNumber: string }> {
  return {
    head: 'Account',
    kind: 'row',
    cell: ({ externalAccountNumber }) => <AccountLink code={code} accountNumber={externalAccountNumber} />,
  };
}
