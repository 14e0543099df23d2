/** What every contender's database holds before the first request: the same accounts under the same names. */

/** Supplier whose accounts are all imported. */
export const SUPPLIER = 'BENCH';
/** Supplier whose accounts are all pending. */
export const PENDING_SUPPLIER = 'BENCH-PENDING';
/** Supplier that the bulk measurement stages and imports. */
export const BULK_SUPPLIER = 'BENCH-BULK';
/** Accounts of each of the first two, unless a measurement asks for more. */
export const ACCOUNTS = 10_000;
/** First day of every account's open statement period, which ends today. */
export const OPEN_STATEMENT_FROM = '2020-01-01';

const NUMBER_DIGITS = 9;

/** @param position 0, 1, 2, …; the order of the numbers is that of the positions */
export function accountNumber(position: number): string {
  return `ACC-${String(position).padStart(NUMBER_DIGITS, '0')}`;
}

/** {@link accountNumber} in SQL. @param position SQL of a whole number */
export function accountNumberSql(position: string): string {
  return `'ACC-' || lpad((${position})::text, ${NUMBER_DIGITS}, '0')`;
}
