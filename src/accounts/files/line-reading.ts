import type { FieldError, FieldErrorCode } from '../../infrastructure/errors/errors.js';
import type { ControlTotals } from '../counts/account-counts.types.js';

/** What a line says of an account. */
export interface AccountRecord {
  readonly externalAccountNumber: string;
  /** First day of the open statement period, `YYYY-MM-DD`, included. */
  readonly openStatementFrom: string | undefined;
  /** Last day of the open statement period, included; without one the period ends today. */
  readonly openStatementTo: string | undefined;
  /** JSON text of the account data, an object, as sent: no number has been converted to a double. */
  readonly account: string | undefined;
  /** What the account must hold; nothing when the line expects nothing. */
  readonly control?: ControlTotals | undefined;
}

/** Why a line cannot be used: a code that never changes, and a sentence that names the field. */
export interface LineProblem {
  readonly code:
    FieldErrorCode | 'parse_error' | 'account_being_erased' | 'account_not_found' | 'account_not_imported';
  readonly detail: string;
}

/** A line that was not used, counted from 1, and why. */
export interface BadLine extends LineProblem {
  readonly line: number;
}

/** The record of a line, or why there is none. */
export type Reading = { readonly record: AccountRecord } | { readonly problem: LineProblem };

/** The reading of one line, counted from 1. */
export type NumberedReading = Reading & { readonly line: number };

/** How the lines of a sort of file are read. */
export interface LineFormat {
  /** @param value the JSON of a line @param text the same as sent */
  readonly readJson: (value: unknown, text: string) => Reading;
  /** @returns why no row can be read with such a header, as a sentence */
  readonly headerProblem: (columns: readonly string[]) => string | undefined;
  /** @param cells a row of CSV whose header is valid: the cells that are not empty, by the name of their column */
  readonly readCells: (cells: ReadonlyMap<string, string>) => Reading;
}

/** What is wrong with a line: the code of its first error, and a sentence for each. @returns nothing without an error */
export function problemOf([first, ...rest]: readonly FieldError[]): LineProblem | undefined {
  if (!first) return undefined;
  const sentences = [first, ...rest].map(({ attr, detail }) => (attr === '' ? detail : `${attr}: ${detail}`));
  return { code: first.code, detail: sentences.join(' ') };
}
