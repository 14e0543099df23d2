import { ADDRESSES, withQuery } from '../common/addresses.js';
import { encodeCursor } from '../common/cursor.js';
import type { ListName, TransactionFilter } from './account-query.js';
import type { AccountPageView } from './account.types.js';

/** The address of the account's page with some parameters changed; undefined ones are omitted. */
export function accountAddress(
  { supplier, number, query }: Pick<AccountPageView, 'supplier' | 'number' | 'query'>,
  changes: Partial<Record<keyof TransactionFilter | ListName, string | null | undefined>>,
  section: ListName,
): string {
  const parameters = { ...query.filter, ...query.after, ...changes };
  return `${withQuery(ADDRESSES.account(supplier.code, number), parameters)}#${section}`;
}

/** @param path as sent, relative to the document root (choice C6) */
export function documentAddress(code: string, number: string, path: string): string {
  const segments = path.split('/').map((segment) => encodeURIComponent(segment));
  return `${ADDRESSES.account(code, number)}/documents/${segments.join('/')}`;
}

/** @param cursor of the note in its list */
export function noteAddress(code: string, number: string, cursor: readonly string[]): string {
  return `${ADDRESSES.account(code, number)}/notes/${encodeCursor(cursor)}`;
}

export function transactionAddress(
  code: string,
  number: string,
  { transaction_id: id, occurrence }: { readonly transaction_id: string; readonly occurrence: string },
): string {
  const address = `${ADDRESSES.account(code, number)}/transactions/${encodeURIComponent(id)}`;
  return withQuery(address, { occurrence: occurrence === '0' ? undefined : occurrence });
}
