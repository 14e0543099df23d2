/** The first and the last of some days, each `YYYY-MM-DD`. */
type Days = readonly [first: string, last: string];

/** Transactions that the service has moved into the open statement period (choice X7). */
export interface Moves {
  readonly count: number;
  /** Rows that were there already: what an earlier request did to them is in no answer. */
  readonly maybe: number;
  /** The days of the files; null where nothing was moved. */
  readonly from: Days | null;
  /** The days that the service has instead. */
  readonly to: Days | null;
}

/** What is known of one row: the days between which it was moved, or that it may have been. */
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

/** @returns undefined when there are none */
export function sumOfMoves(moves: readonly (Move | undefined)[]): Moves | undefined {
  let sum: Moves | undefined;
  for (const move of moves) {
    if (move === 'maybe') sum = addMoves(sum ?? NO_MOVES, { ...NO_MOVES, maybe: 1 });
    else if (move) {
      const { from, to } = move;
      sum = addMoves(sum ?? NO_MOVES, { count: 1, maybe: 0, from: [from, from], to: [to, to] });
    }
  }
  return sum;
}

/** Days in this form are ordered as texts. */
function spanOf(one: Days | null, other: Days | null): Days | null {
  if (!one || !other) return one ?? other;
  return [one[0] < other[0] ? one[0] : other[0], one[1] > other[1] ? one[1] : other[1]];
}
