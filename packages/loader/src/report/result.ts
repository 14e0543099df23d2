import type { Settled } from '../journal/events.js';
import type { Moves } from '../journal/moves.js';
import type { JournalState } from '../journal/state.js';
import type { Kind } from '../kinds/kinds.js';
import type { Difference, Tally } from '../verify/result.js';
import type { DifferenceGroup, FailureGroup } from './groups.js';
import type { LeftOut } from '../rows/left-out.js';

/** How many rows there are of each sort; `read` is the sum of the others. */
export interface Counts {
  readonly read: number;
  readonly loaded: number;
  readonly already: number;
  readonly failed: number;
  readonly unsent: number;
}

/** A run of a folder, with what it has settled. */
export interface RunResult extends Settled {
  readonly run: string;
  readonly command: string;
  /** When it began, in UTC and whole seconds. */
  readonly at: string;
  readonly supplier: string;
  readonly base_url: string;
}

/** What `--json` prints. */
export interface Result extends Counts {
  readonly kinds: Partial<Record<Kind, Counts>>;
  readonly groups: readonly FailureGroup[];
  readonly seconds: number;
  readonly dry_run: boolean;
  readonly run: string | null;
  /** Whether every row that counts as loaded or already there was seen at the service at the end (choice L14). */
  readonly checked: boolean;
  /** Transactions that were moved into the open statement period. */
  readonly moved: Moves;
  /** Rows that had failed since their account was not imported, of accounts that are imported now: they were sent again. */
  readonly taken_up?: { readonly rows: number; readonly accounts: number } | undefined;
  /** What the mapping leaves out, and rules that nothing uses. */
  readonly left_out: readonly LeftOut[];
  /** What happened to the files meanwhile, as sentences without a full stop: then rows may be left. */
  readonly changed: readonly string[];
}

/** What `--json` prints (choice V9). */
export interface VerifyResult {
  readonly accounts: Tally;
  readonly rows: Tally;
  /** Of the files; null where only some kinds were compared, since no other digest could equal it. */
  readonly digest: string | null;
  readonly service_digest: string | null;
  readonly differences: readonly Difference[];
  /** All differences by cause; the fields of those that are not named were not looked at. */
  readonly groups: readonly DifferenceGroup[];
  /** How many more there are than are named; left out where there are none. */
  readonly differences_omitted?: number;
  readonly kinds: readonly Kind[];
  readonly supplier: string;
  /** Of the supplier when the comparison began: `ongoing`, `paused` or `complete`. */
  readonly supplier_status: string;
  /** Accounts that changed between two looks at them; what is said of them holds for the second. */
  readonly changed_accounts: number;
  /** What the mapping leaves out, and rules that nothing uses. */
  readonly left_out: readonly LeftOut[];
  readonly seconds: number;
}

/**
 * The counts of a kind.
 *
 * @param rows how many its files have, counted when they were prepared
 * @param isComplete whether no row can be left
 * @throws Error when they contradict each other: then nothing is to be printed
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

/** @throws Error when the sums are not those of the kinds */
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
