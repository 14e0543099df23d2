import { KINDS, type Kind } from '../kinds/kinds.js';
import type { Failed } from '../journal/events.js';
import { addMoves, NO_MOVES } from '../journal/moves.js';
import type { JournalState } from '../journal/state.js';
import { groupFailures } from './groups.js';
import { countsOf, totalOf, type Counts, type Result } from './result.js';

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
  const total = totalOf(Object.values(kinds));
  return {
    kinds,
    ...total,
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
