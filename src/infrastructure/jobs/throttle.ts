/** Lets something happen at most once in a time, for example a line of the log about a state that lasts. */
export class Throttle {
  private lastAtMs = -Infinity;

  constructor(private readonly intervalMs: number) {}

  /** @returns whether it may happen now; then it may not for the interval */
  consume(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.lastAtMs < this.intervalMs) return false;
    this.lastAtMs = nowMs;
    return true;
  }
}
