/** Positions `[from, to)`. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/**
 * A set of positions, stored as intervals `[start, end)` that neither overlap nor adjoin. Requests end in nearly the order in which
 * they were sent, so there are few intervals at any time and a new one is usually near the end.
 */
export class Intervals {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  /** The number of intervals. */
  get size(): number {
    return this.starts.length;
  }

  /** @throws Error when a position of the interval is already in the set, because it would be counted twice */
  add(start: number, end: number): void {
    if (end <= start) throw new Error(`The interval ${start} to ${end} is empty.`);
    const at = this.indexAfter(start);
    const overlapsBefore = at > 0 && (this.ends[at - 1] ?? 0) > start;
    const overlapsAfter = at < this.starts.length && (this.starts[at] ?? 0) < end;
    if (overlapsBefore || overlapsAfter)
      throw new Error(`Positions from ${start} to ${end} are recorded twice.`);

    const joinsBefore = at > 0 && this.ends[at - 1] === start;
    const joinsAfter = at < this.starts.length && this.starts[at] === end;
    if (joinsBefore && joinsAfter) {
      this.ends.splice(at - 1, 1);
      this.starts.splice(at, 1);
    } else if (joinsBefore) {
      this.ends[at - 1] = end;
    } else if (joinsAfter) {
      this.starts[at] = start;
    } else {
      this.starts.splice(at, 0, start);
      this.ends.splice(at, 0, end);
    }
  }

  /** @throws Error unless the whole interval is in the set */
  remove(start: number, end: number): void {
    const at = this.indexAfter(start) - 1;
    const [from = NaN, to = NaN] = [this.starts[at], this.ends[at]];
    if (!(from <= start && start < end && end <= to))
      throw new Error(`Positions from ${start} to ${end} are not recorded.`);
    const left: (readonly [number, number])[] = [
      [from, start],
      [end, to],
    ];
    const rest = left.filter(([begin, until]) => begin < until);
    this.starts.splice(at, 1, ...rest.map(([begin]) => begin));
    this.ends.splice(at, 1, ...rest.map(([, until]) => until));
  }

  /** The positions that are not in another set. Each interval of that set must be wholly in this one. */
  without(others: Intervals | undefined): Intervals {
    const left = new Intervals();
    for (const [start, end] of this) left.add(start, end);
    for (const [start, end] of others ?? []) left.remove(start, end);
    return left;
  }

  has(position: number): boolean {
    return position < (this.ends[this.indexAfter(position) - 1] ?? 0);
  }

  /** The intervals that are not in the set, in ascending order. The last one ends at infinity. */
  gaps(): Interval[] {
    const gaps: Interval[] = [];
    let from = 0;
    for (const [start, end] of this) {
      if (start > from) gaps.push({ from, to: start });
      from = end;
    }
    return [...gaps, { from, to: Infinity }];
  }

  /** The intervals, in ascending order. */
  *[Symbol.iterator](): Generator<readonly [start: number, end: number]> {
    for (const [index, start] of this.starts.entries()) yield [start, this.ends[index] ?? start];
  }

  /** @returns the index of the first interval that starts after the position */
  private indexAfter(position: number): number {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.starts[middle] ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
