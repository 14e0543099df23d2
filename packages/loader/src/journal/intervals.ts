/**
 * A set of positions, kept as intervals `[start, end)` that neither overlap nor adjoin. Requests end in nearly the order in
 * which they were sent, so there are few intervals at any time and a new one usually belongs near the end.
 */
export class Intervals {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  /** How many intervals there are. */
  get size(): number {
    return this.starts.length;
  }

  /** @throws Error when a position of the interval is in the set already: then something would be counted twice */
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

  has(position: number): boolean {
    return this.endAt(position) !== undefined;
  }

  /** @returns the end of the interval that has the position */
  endAt(position: number): number | undefined {
    const end = this.ends[this.indexAfter(position) - 1];
    return end !== undefined && position < end ? end : undefined;
  }

  /** @returns the start of the first interval after the position */
  startAfter(position: number): number | undefined {
    return this.starts[this.indexAfter(position)];
  }

  /** In ascending order. */
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
