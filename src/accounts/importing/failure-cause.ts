/**
 * SQL for what failed imports of one cause have in common: the sentence of the failure without its days. The index
 * account_import_failure has the same expression.
 *
 * @param account alias of account_import in the query
 * Source: choice C9.
 */
export function failureCause(account: string): string {
  return String.raw`(regexp_replace(${account}.failure, '\d{4}-\d{2}-\d{2}', '…', 'g') COLLATE "C")`;
}

/** Where a page of the failed accounts of a supplier begins: after this account, in the order of causes and numbers. */
export interface FailedAccountCursor {
  readonly cause: string;
  readonly external_account_number: string;
}

/** Before every failed account. */
export const FIRST_FAILED: FailedAccountCursor = { cause: '', external_account_number: '' };
/** After every cause, in the order of bytes. */
export const LAST_CAUSE = '\u{10FFFF}';
