import type { Kind } from '../kinds/kinds.js';

export type Problem = 'missing' | 'unexpected' | 'different';

/** How many accounts or rows there are of each sort. */
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

/** A row that is not the same on both sides. It names what identifies it, and no other value of a customer (choice V9). */
export interface Difference {
  /** Empty where the row has none that can be read. */
  readonly external_account_number: string;
  readonly kind: Kind;
  /** Its id, `vendor:reference`, or the beginning of a note; empty where it has none. */
  readonly key: string;
  /** Null for a row that only the service has. */
  readonly file: string | null;
  readonly line: number | null;
  readonly problem: Problem;
  /** Paths of what differs; empty for a row that only one side has. */
  readonly fields: readonly string[];
}

/** What `--json` prints (choice V9). */
export interface VerifyResult {
  readonly accounts: Tally;
  readonly rows: Tally;
  /** Of the files; null where only some kinds were compared, since no other digest could equal it. */
  readonly digest: string | null;
  readonly service_digest: string | null;
  readonly differences: readonly Difference[];
  /** How many more there are than are named; left out where there are none. */
  readonly differences_omitted?: number;
  readonly kinds: readonly Kind[];
  readonly supplier: string;
  /** Of the supplier when the comparison began: `ongoing`, `paused` or `complete`. */
  readonly supplier_status: string;
  /** Accounts that changed between two looks at them; what is said of them holds for the second. */
  readonly changed_accounts: number;
  readonly seconds: number;
}
