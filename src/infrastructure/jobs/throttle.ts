/** Limits an action to once per interval, for example a log line about a lasting state. */
export class Throttle {
  private lastAtMs = -Infinity;

  constructor(private readonly intervalMs: number) {}

  /** @returns whether the action may happen now; if so, it may not happen again for the interval */
  consume(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.lastAtMs < this.intervalMs) return false;
    this.lastAtMs = nowMs;
    return true;
  }
}
