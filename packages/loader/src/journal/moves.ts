import { Intervals } from '../rows/intervals.js';

/** The first and the last of some days, each `YYYY-MM-DD`. */
type Days = readonly [first: string, last: string];

/** Transactions that the service has moved into the open statement period (choice X7). */
export interface Moves {
  readonly count: number;
  /** The number of rows that the service already had. An earlier request may have moved them, but no answer says so. */
  readonly maybe: number;
  /** The range of days in the files; null if no transaction was moved. */
  readonly from: Days | null;
  /** The range of days at the service. */
  readonly to: Days | null;
}

/** The move of one row: the two days, or `maybe` if it may have been moved. */
export type Move = { readonly from: string; readonly to: string } | 'maybe';

export const NO_MOVES: Moves = { count: 0, maybe: 0, from: null, to: null };

export function addMoves(one: Moves, other: Moves | undefined): Moves {
  if (!other) return one;
  return {
    count: one.count + other.count,
    maybe: one.maybe + other.maybe,
    from: spanOf(one.from, other.from),
    to: spanOf(one.to, other.to),
  };
}

/**
 * The moves in an event. They include the positions of the rows, unless the event was merged and the positions follow
 * separately.
 */
export interface RecordedMoves extends Moves {
  readonly at?: Readonly<Record<Sort, readonly (readonly [start: number, end: number])[]>>;
}

type Sort = 'count' | 'maybe';

const SORTS: readonly Sort[] = ['count', 'maybe'];

/** @returns undefined if no row was moved */
export function recordedMoves(
  rows: readonly { readonly start: number; readonly end: number; readonly move: Move | undefined }[],
): RecordedMoves | undefined {
  let sum = NO_MOVES;
  const at = { count: new Intervals(), maybe: new Intervals() };
  for (const { start, end, move } of rows) {
    if (move === undefined) continue;
    if (move === 'maybe') sum = addMoves(sum, { ...NO_MOVES, maybe: 1 });
    else sum = addMoves(sum, { count: 1, maybe: 0, from: [move.from, move.from], to: [move.to, move.to] });
    at[move === 'maybe' ? 'maybe' : 'count'].add(start, end);
  }
  return sum === NO_MOVES ? undefined : { ...sum, at: { count: [...at.count], maybe: [...at.maybe] } };
}

/** The positions of the rows that were moved. If the service turns out to lack a row, it no longer counts as moved. */
export class MovedRows {
  private sum = NO_MOVES;
  private readonly at = { count: new Intervals(), maybe: new Intervals() };

  get moves(): Moves {
    return this.sum;
  }

  add(moves: RecordedMoves | undefined): void {
    if (!moves) return;
    this.sum = addMoves(this.sum, moves);
    for (const sort of SORTS)
      for (const [start, end] of moves.at?.[sort] ?? []) this.at[sort].add(start, end);
  }

  /** Remove a row that the service lacks. */
  remove(start: number, end: number): void {
    for (const sort of SORTS) {
      if (!this.at[sort].has(start)) continue;
      this.at[sort].remove(start, end);
      const sum = { ...this.sum, [sort]: this.sum[sort] - 1 };
      this.sum = sum.count === 0 ? { ...NO_MOVES, maybe: sum.maybe } : sum;
    }
  }
}

/** Days in this form are ordered as texts. */
function spanOf(one: Days | null, other: Days | null): Days | null {
  if (!one || !other) return one ?? other;
  return [one[0] < other[0] ? one[0] : other[0], one[1] > other[1] ? one[1] : other[1]];
}
