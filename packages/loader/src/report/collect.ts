import { KINDS, type Kind } from '../kinds/kinds.js';
import type { Failed } from '../journal/events.js';
import { addMoves, NO_MOVES } from '../journal/moves.js';
import type { JournalState } from '../journal/state.js';
import { groupFailures } from './groups.js';
import type { Counts, Result } from './result.js';

/** The data from which a result is derived. */
export interface ResultSource {
  readonly state: JournalState;
  readonly failures: () => AsyncIterable<Failed>;
}

export interface ResultOptions {
  /** The number of rows in the files of each kind. */
  readonly rows: ReadonlyMap<Kind, number>;
  /** Whether every row must be settled. */
  readonly isComplete: boolean;
  readonly seconds: number;
  readonly isDryRun: boolean;
  readonly run: string | undefined;
  /** The changes of the files during the run. */
  readonly changed?: readonly string[];
  readonly takenUp?: Result['taken_up'];
  readonly leftOut: Result['left_out'];
}

/** Derive the result from the journal. @throws Error when its counts contradict each other */
export async function collectResult(
  { state, failures }: ResultSource,
  { rows, isComplete, seconds, isDryRun, run, changed = [], takenUp, leftOut }: ResultOptions,
): Promise<Result> {
  const kinds: Partial<Record<Kind, Counts>> = {};
  for (const kind of KINDS) {
    const count = rows.get(kind);
    if (count !== undefined) kinds[kind] = countsOf(state, kind, count, isComplete);
  }
  const sum = (name: keyof Counts): number =>
    Object.values(kinds).reduce((total, counts) => total + counts[name], 0);
  return {
    kinds,
    read: sum('read'),
    loaded: sum('loaded'),
    already: sum('already'),
    failed: sum('failed'),
    unsent: sum('unsent'),
    groups: await groupFailures(failures()),
    seconds,
    dry_run: isDryRun,
    run: run ?? null,
    checked: KINDS.every((kind) => kinds[kind] === undefined || state.of(kind).isChecked),
    moved: KINDS.reduce((sum, kind) => addMoves(sum, state.of(kind).moved.moves), NO_MOVES),
    left_out: leftOut,
    changed,
    ...(takenUp && takenUp.rows > 0 && { taken_up: takenUp }),
  };
}

/**
 * The counts of a kind.
 *
 * @param rows the number of rows in its files, counted when they were prepared
 * @param isComplete whether every row must be settled
 * @throws Error if the counts contradict each other; nothing may be printed then
 */
function countsOf(state: JournalState, kind: Kind, rows: number, isComplete: boolean): Counts {
  const { loaded, already, failed, settled, done } = state.of(kind);
  const counts = { read: rows, loaded, already, failed, unsent: rows - settled };
  const isPossible = Object.values(counts).every((count) => Number.isSafeInteger(count) && count >= 0);
  // Positions and rows are counted independently of each other.
  const isCovered = rows === 0 || !isComplete || (settled === rows && done.size === 1);
  if (isPossible && isCovered && settled === loaded + already + failed) return counts;
  const all = JSON.stringify({ ...counts, settled, intervals: done.size });
  throw new Error(`The counts of ${kind} contradict each other: ${all}.`);
}
