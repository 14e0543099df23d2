import type { FieldError, FieldErrorCode } from '../../infrastructure/errors/errors.js';
import type { Fields } from '#files';
import type { ControlTotals } from '../counts/account-counts.types.js';

/** The data of an account in a line. */
export interface AccountRecord {
  readonly externalAccountNumber: string;
  /** First day of the open statement period, `YYYY-MM-DD`, included. */
  readonly openStatementFrom: string | undefined;
  /** Last day of the open statement period, included. Without one, the period ends today. */
  readonly openStatementTo: string | undefined;
  /** JSON text of the account data, an object, as sent. No number in it was converted to a double. */
  readonly account: string | undefined;
  /** The control totals; undefined if the line expects nothing. */
  readonly control?: ControlTotals | undefined;
  /** Whether the line is a row of a table with the name of a column where a value belongs. */
  readonly isHeader?: boolean;
}

/** Why a line cannot be used: a code that never changes, and a sentence that names the field. */
export interface LineProblem {
  readonly code:
    | FieldErrorCode
    | 'parse_error'
    | 'account_being_erased'
    | 'account_not_found'
    | 'account_not_imported'
    | 'duplicate_external_account_numbers';
  readonly detail: string;
}

/** A line that was not used, numbered from 1, and the reason. */
export interface BadLine extends LineProblem {
  readonly line: number;
}

/** The number of a line as people know it. */
export function shownLine(line: number): number {
  return Math.floor(line);
}

/** The record of a line, or why the line has none. */
export type Reading = { readonly record: AccountRecord } | { readonly problem: LineProblem };

/** The reading of one line, numbered from 1. Records of a JSON document that share a line have a fraction behind its number. */
export type NumberedReading = Reading & { readonly line: number };

/** How to read the lines of a kind of file. */
export interface LineFormat {
  /** @param value the parsed JSON of a line @param text the same JSON as sent @param isRow whether it was made of a row of a table */
  readonly readJson: (value: unknown, text: string, isRow: boolean) => Reading;
  /** The columns of a table with such lines. */
  readonly fields: Fields;
}

/** Reads the lines of a file as a kind of file. Each call reads the file from its beginning. */
export type ReadLines = (format: LineFormat) => AsyncGenerator<NumberedReading[]>;

/** The problem of a line: the code of its first error, and a sentence for each. @returns undefined if there are no errors */
export function problemOf([first, ...rest]: readonly FieldError[]): LineProblem | undefined {
  if (!first) return undefined;
  const sentences = [first, ...rest].map(({ attr, detail }) => (attr === '' ? detail : `${attr}: ${detail}`));
  return { code: first.code, detail: sentences.join(' ') };
}
