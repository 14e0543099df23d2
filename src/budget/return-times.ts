/** Until an import has been completed it counts as one that took so long. */
const FIRST_DURATION_MS = 500;
/** Each completed import changes the mean duration by this share of the difference. */
const SMOOTHING = 1 / 16;
/** A refused import is asked to return within this time. */
const WAIT_SECONDS_MAX = 30;

/**
 * When the refused imports of an organisation may return. They return one after the other, at the rate at which its imports
 * are completed, so that they find room and do not all return in the same second.
 *
 * Source: decision 9 (docs/decisions/0009-fairness-between-organisations.md).
 */
export class ReturnTimes {
  private meanDurationMs = FIRST_DURATION_MS;
  /** When the import that was refused last returns. */
  private latestMs = 0;

  /** @param durationMs from the headers of an import to its answer */
  completed(durationMs: number): void {
    this.meanDurationMs += (durationMs - this.meanDurationMs) * SMOOTHING;
  }

  /**
   * The time for one more import that is refused.
   *
   * @param running imports of the organisation, 1 or more: so many are completed in a mean duration
   * @returns whole seconds from now, 1 to 30
   */
  next(nowMs: number, running: number): number {
    const interval = this.meanDurationMs / running;
    const farthest = nowMs + WAIT_SECONDS_MAX * 1_000;
    this.latestMs = Math.min(Math.max(this.latestMs, nowMs) + interval, farthest);
    const seconds = Math.ceil((this.latestMs - nowMs) / 1_000);
    // A sum of milliseconds less one of its parts may be a little more than the other part.
    return Math.min(Math.max(1, seconds), WAIT_SECONDS_MAX);
  }
}
