import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import type { Column } from './table.js';

/** The number of an account as a link to its page. A request may have no number. */
export function AccountLink({ code, number }: { code: string; number: string }): VNode {
  return number === '' ? (
    <span class="muted">no account number</span>
  ) : (
    <a href={ADDRESSES.account(code, number)}>{number}</a>
  );
}

/** The column that names the account of a row. @param code of the supplier */
export function accountColumn(code: string): Column<{ readonly externalAccountNumber: string }> {
  return {
    head: 'Account',
    kind: 'row',
    cell: ({ externalAccountNumber }) => <AccountLink code={code} number={externalAccountNumber} />,
  };
}
