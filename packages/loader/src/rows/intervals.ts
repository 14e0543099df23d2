/** Positions `[from, to)`. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** A set of positions: intervals that neither overlap nor adjoin, in ascending order. */
export class Intervals {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  /** The number of intervals. */
  get length(): number {
    return this.starts.length;
  }

  /** Add positions, some of which may be there already. */
  add(from: number, to: number): void {
    if (to <= from) return;
    const first = this.firstEndingAtOrAfter(from);
    let after = first;
    let start = from;
    let end = to;
    while (after < this.starts.length && (this.starts[after] ?? 0) <= to) {
      start = Math.min(start, this.starts[after] ?? start);
      end = Math.max(end, this.ends[after] ?? end);
      after += 1;
    }
    this.starts.splice(first, after - first, start);
    this.ends.splice(first, after - first, end);
  }

  has(position: number): boolean {
    const index = this.firstEndingAtOrAfter(position + 1);
    return index < this.starts.length && (this.starts[index] ?? 0) <= position;
  }

  /** What is not in the set, in ascending order; the last one ends at infinity. */
  gaps(): Interval[] {
    const gaps: Interval[] = [];
    let from = 0;
    for (const [index, start] of this.starts.entries()) {
      if (start > from) gaps.push({ from, to: start });
      from = this.ends[index] ?? from;
    }
    return [...gaps, { from, to: Infinity }];
  }

  private firstEndingAtOrAfter(position: number): number {
    let low = 0;
    let high = this.ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ends[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
