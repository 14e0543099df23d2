/**
 * SQL for the cause of a failed import, which groups failures: the failure's sentence without its dates. The index
 * account_import_failure has the same expression.
 *
 * @param account alias of account_import in the query
 * Source: choice C9.
 */
export function failureCause(account: string): string {
  return String.raw`(regexp_replace(${account}.failure, '\d{4}-\d{2}-\d{2}', '…', 'g') COLLATE "C")`;
}

/** Cursor of a page of a supplier's failed accounts: the last account of the previous page, in the order of causes and numbers. */
export interface FailedAccountCursor {
  readonly cause: string;
  readonly external_account_number: string;
}

/** Before the first failed account. */
export const FIRST_FAILED: FailedAccountCursor = { cause: '', external_account_number: '' };
/** Sorts after every cause, in byte order. */
export const LAST_CAUSE = '\u{10FFFF}';
