/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** A whole number from 0 to 2^32 - 1. */
  bits(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A whole number from `from` to `to`, both included. */
  integer(from: number, to: number): number {
    return from + (this.bits() % (to - from + 1));
  }

  of(values: readonly string[]): string {
    return values[this.bits() % values.length] ?? '';
  }

  shuffle(values: unknown[]): void {
    for (let at = values.length - 1; at > 0; at -= 1) {
      const other = this.integer(0, at);
      [values[at], values[other]] = [values[other], values[at]];
    }
  }
}
