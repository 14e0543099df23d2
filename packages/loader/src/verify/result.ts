import { shownPlace } from '@data-import/files';
import type { Kind } from '../kinds/kinds.js';

export const PROBLEMS = ['missing', 'unexpected', 'different'] as const;

export type Problem = (typeof PROBLEMS)[number];

/** The number of accounts or rows by outcome. */
export interface Tally {
  readonly matched: number;
  readonly different: number;
  readonly missing: number;
  readonly unexpected: number;
}

export const NOTHING: Tally = { matched: 0, different: 0, missing: 0, unexpected: 0 };

export function sumOf(one: Tally, other: Tally): Tally {
  return {
    matched: one.matched + other.matched,
    different: one.different + other.different,
    missing: one.missing + other.missing,
    unexpected: one.unexpected + other.unexpected,
  };
}

export function differing({ different, missing, unexpected }: Tally): number {
  return different + missing + unexpected;
}

/** A difference with the internal file and line of its row (text/parts.ts). */
export type PlacedDifference = Omit<Difference, 'sheet'>;

export function shownDifference({ file, line, ...difference }: PlacedDifference): Difference {
  if (file === null || line === null) return { ...difference, file, sheet: null, line };
  return { ...difference, ...shownPlace({ file, line }) };
}

/**
 * A row that is not the same on both sides. It contains the values that identify the row, but no other value of a
 * customer (choice V9).
 */
export interface Difference {
  /** The account; empty if the row has none that can be read. */
  readonly external_account_number: string;
  readonly kind: Kind;
  /** The id, `vendor:reference`, or the beginning of a note; empty if the row has none of these. */
  readonly key: string;
  /** Null for a row that only the service has. */
  readonly file: string | null;
  /** The sheet; null if the row does not come from one of several sheets. */
  readonly sheet: string | null;
  readonly line: number | null;
  readonly problem: Problem;
  /** The paths of the fields that differ; empty for a row that only one side has. */
  readonly fields: readonly string[];
}
