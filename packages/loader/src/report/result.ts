import type { Settled } from '../journal/events.js';
import type { Moves } from '../journal/moves.js';
import type { JournalState } from '../journal/state.js';
import type { Kind } from '../kinds/kinds.js';
import type { Difference, Tally } from '../verify/result.js';
import type { DifferenceGroup, FailureGroup } from './groups.js';
import type { LeftOut } from '../rows/left-out.js';

/** The number of rows by outcome; `read` is the sum of the others. */
export interface Counts {
  readonly read: number;
  readonly loaded: number;
  readonly already: number;
  readonly failed: number;
  readonly unsent: number;
}

/** A run of a folder, and the number of rows that it settled. */
export interface RunResult extends Settled {
  readonly run: string;
  readonly command: string;
  /** The start time in UTC and whole seconds. */
  readonly at: string;
  readonly supplier: string;
  readonly base_url: string;
}

/** The output of `--json`. */
export interface Result extends Counts {
  readonly kinds: Partial<Record<Kind, Counts>>;
  readonly groups: readonly FailureGroup[];
  readonly seconds: number;
  readonly dry_run: boolean;
  readonly run: string | null;
  /** Whether every row that counts as loaded or already there was found at the service at the end (choice L14). */
  readonly checked: boolean;
  /** Transactions that were moved into the open statement period. */
  readonly moved: Moves;
  /** Rows that were sent again because they had failed for an account which was not imported then and is imported now. */
  readonly taken_up?: { readonly rows: number; readonly accounts: number } | undefined;
  /** The rules by which the mapping leaves something out, and rules that are not used. */
  readonly left_out: readonly LeftOut[];
  /** The changes of the files during the run, as sentences without a full stop. If there are any, rows may be left. */
  readonly changed: readonly string[];
}

/** The output of `verify` with `--json` (choice V9). */
export interface VerifyResult {
  readonly accounts: Tally;
  readonly rows: Tally;
  /** The digest of the files. It is null if only some kinds were compared, because it could then equal no other digest. */
  readonly digest: string | null;
  readonly service_digest: string | null;
  readonly differences: readonly Difference[];
  /** All differences by cause. The fields of differences that are not named were not compared. */
  readonly groups: readonly DifferenceGroup[];
  /** The number of differences that are not named; absent if all are named. */
  readonly differences_omitted?: number;
  readonly kinds: readonly Kind[];
  readonly supplier: string;
  /** The status of the supplier when the comparison began: `ongoing`, `paused` or `complete`. */
  readonly supplier_status: string;
  /** The number of accounts that changed between two reads. Their results are those of the second read. */
  readonly changed_accounts: number;
  /** The rules by which the mapping leaves something out, and rules that are not used. */
  readonly left_out: readonly LeftOut[];
  readonly seconds: number;
}

/**
 * The counts of a kind.
 *
 * @param rows the number of rows in its files, counted when they were prepared
 * @param isComplete whether every row must be settled
 * @throws Error if the counts contradict each other; nothing may be printed then
 */
export function countsOf(state: JournalState, kind: Kind, rows: number, isComplete: boolean): Counts {
  const { loaded, already, failed, settled, done } = state.of(kind);
  const unsent = rows - settled;
  const counts = { read: rows, loaded, already, failed, unsent };
  const isPossible = Object.values(counts).every((count) => Number.isSafeInteger(count) && count >= 0);
  // Positions and rows are counted independently of each other.
  const isCovered = rows === 0 || !isComplete || (unsent === 0 && done.size === 1);
  if (!isPossible || !isCovered) {
    throw new Error(
      `The counts of ${kind} contradict each other: ${JSON.stringify({ ...counts, intervals: done.size })}.`,
    );
  }
  return counts;
}

/** @throws Error if the sums are not those of the kinds */
export function totalOf(kinds: readonly Counts[]): Counts {
  const sum = (name: keyof Counts): number => kinds.reduce((total, counts) => total + counts[name], 0);
  const total = {
    read: sum('read'),
    loaded: sum('loaded'),
    already: sum('already'),
    failed: sum('failed'),
    unsent: sum('unsent'),
  };
  if (total.read !== total.loaded + total.already + total.failed + total.unsent) {
    throw new Error(`The counts contradict each other: ${JSON.stringify(total)}.`);
  }
  return total;
}
