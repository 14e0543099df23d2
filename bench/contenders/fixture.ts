import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The suppliers and accounts that every contender's database contains before the first request. */

/** The organisation that all suppliers are granted to. */
export const ORGANISATION = 'Bench';

/** Supplier whose accounts are all imported. */
export const SUPPLIER = 'BENCH';
/** Supplier whose accounts are all pending. */
export const PENDING_SUPPLIER = 'BENCH-PENDING';
/** Supplier whose accounts the bulk measurement stages and imports. */
export const BULK_SUPPLIER = 'BENCH-BULK';
/** Supplier of the organisation that sends notes during a burst. */
export const BURST_SUPPLIER = 'BENCH-OTHER';
/** Accounts of each of the first two suppliers, unless a measurement needs more. */
export const ACCOUNTS = 10_000;
/** First day of the open statement period of every account; the period ends today. */
export const OPEN_STATEMENT_FROM = '2020-01-01';

const NUMBER_DIGITS = 9;

/** @param position 0, 1, 2, …; account numbers sort by position */
export function accountNumber(position: number): string {
  return `ACC-${String(position).padStart(NUMBER_DIGITS, '0')}`;
}

/** {@link accountNumber} in SQL. @param position SQL expression of an integer */
export function accountNumberSql(position: string): string {
  return `'ACC-' || lpad((${position})::text, ${NUMBER_DIGITS}, '0')`;
}

/** Lines written to a file at a time. */
const CHUNK_LINES = 5_000;

/** Write a file with a line for each position from 0 to count - 1. @param line without its line feed */
export async function writeLines(
  file: string,
  count: number,
  line: (position: number) => string,
): Promise<void> {
  const chunks = function* (): Generator<string> {
    for (let from = 0; from < count; from += CHUNK_LINES) {
      const length = Math.min(CHUNK_LINES, count - from);
      yield Array.from({ length }, (_, index) => `${line(from + index)}\n`).join('');
    }
  };
  await pipeline(Readable.from(chunks()), createWriteStream(file));
}

/**
 * Write the account records that `accounts stage` reads.
 *
 * @param from position of the first account
 * @param more further fields of each account
 */
export function writeAccounts(
  file: string,
  count: number,
  from = 0,
  more: (position: number) => object = () => ({}),
): Promise<void> {
  return writeLines(file, count, (position) =>
    JSON.stringify({
      external_account_number: accountNumber(from + position),
      open_statement_from: OPEN_STATEMENT_FROM,
      ...more(position),
    }),
  );
}
