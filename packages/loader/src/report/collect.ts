import { KINDS, type Kind } from '../kinds/kinds.js';
import type { NumberedEvent } from '../journal/compact.js';
import type { Failed } from '../journal/events.js';
import { addMoves, NO_MOVES } from '../journal/moves.js';
import type { JournalState } from '../journal/state.js';
import { groupFailures } from './groups.js';
import { countsOf, totalOf, type Counts, type Repeats, type Result } from './result.js';

/** Repeated rows that are named in the result. */
const REPEATS_MAX = 1_000;

/** What a result is made of. */
export interface ResultSource {
  readonly state: JournalState;
  readonly events: () => AsyncIterable<NumberedEvent>;
  readonly failures: () => AsyncIterable<Failed>;
}

export interface ResultOptions {
  /** How many rows the files of each kind have. */
  readonly rows: ReadonlyMap<Kind, number>;
  /** Whether no row can be left. */
  readonly isComplete: boolean;
  readonly seconds: number;
  readonly isDryRun: boolean;
  readonly run: string | undefined;
  /** What happened to the files meanwhile. */
  readonly changed?: readonly string[];
}

/** Derive the result from the journal. @throws Error when its counts contradict each other */
export async function collectResult(
  { state, events, failures }: ResultSource,
  { rows, isComplete, seconds, isDryRun, run, changed = [] }: ResultOptions,
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
    moved: KINDS.reduce((sum, kind) => addMoves(sum, state.of(kind).moved), NO_MOVES),
    changed,
    repeats: await repeatsOf(state, events()),
  };
}

async function repeatsOf(state: JournalState, events: AsyncIterable<NumberedEvent>): Promise<Repeats> {
  const count = KINDS.reduce((sum, kind) => sum + state.of(kind).repeated.size, 0);
  const rows = new Map<string, Repeats['rows'][number]>();
  if (count > 0) {
    for await (const { event } of events) {
      if (event.event !== 'repeated') continue;
      rows.set(`${event.kind} ${event.start}`, { kind: event.kind, ...event.origin });
      if (rows.size === REPEATS_MAX) break;
    }
  }
  return { count, rows: [...rows.values()] };
}
