import { ADDRESSES, withQuery } from '../common/addresses.js';
import { encodeCursor } from '../common/cursor.js';
import { ofSupplier } from '../layout/page.js';
import type { ListName, TransactionFilter } from './account-query.js';
import type { AccountName, AccountPageView } from './account.types.js';

/** The address of the account's page with some parameters changed; undefined ones are omitted. */
export function accountAddress(
  { supplier, accountNumber, query }: Pick<AccountPageView, 'supplier' | 'accountNumber' | 'query'>,
  changes: Partial<Record<keyof TransactionFilter | ListName, string | null | undefined>>,
  section: ListName,
): string {
  const parameters = { ...query.filter, ...query.after, ...changes };
  return `${withQuery(ADDRESSES.account(supplier.code, accountNumber), parameters)}#${section}`;
}

/** The parts that the pages of an account's items share, with the account above them. */
export function belowAccount({ supplier, accountNumber }: AccountName): ReturnType<typeof ofSupplier> {
  const href = ADDRESSES.account(supplier.code, accountNumber);
  return ofSupplier(supplier, 'accounts', { text: accountNumber, href });
}

/** @param path as sent, relative to the document root (choice C6) */
export function documentAddress(code: string, accountNumber: string, path: string): string {
  const segments = path.split('/').map((segment) => encodeURIComponent(segment));
  return `${ADDRESSES.account(code, accountNumber)}/documents/${segments.join('/')}`;
}

/** @param cursor of the note in its list */
export function noteAddress(code: string, accountNumber: string, cursor: readonly string[]): string {
  return `${ADDRESSES.account(code, accountNumber)}/notes/${encodeCursor(cursor)}`;
}

export function transactionAddress(
  code: string,
  accountNumber: string,
  { transaction_id: id, occurrence }: { readonly transaction_id: string; readonly occurrence: string },
): string {
  const address = `${ADDRESSES.account(code, accountNumber)}/transactions/${encodeURIComponent(id)}`;
  return withQuery(address, { occurrence: occurrence === '0' ? undefined : occurrence });
}
