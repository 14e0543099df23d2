/** A worker that ends by itself is replaced after this; each further one that ends early doubles it … */
const DELAY_MS = 500;
/** … up to this. */
const DELAY_MAX_MS = 30_000;
/** A worker that served for less ended early: whatever ended it may well end the next one too. */
const STEADY_MS = 60_000;
/** Early ends that are so far apart have nothing to do with each other. */
const QUIET_MS = 600_000;
/** Workers in a row that end early, while no other one serves, until there is no point in starting another. */
const EARLY_ENDS_MAX = 5;

/**
 * How fast workers that end are replaced: soon when it happens now and then, ever more slowly when it happens again and
 * again, and not any more when no worker can be kept alive. Somebody who watches over the service, and who may start
 * it anew, then sees that it has ended.
 */
export class RestartBackoff {
  private earlyEnds = 0;
  private lastEarlyEndMs = -Infinity;

  /** @param now milliseconds of a clock that only goes forward */
  constructor(private readonly now = () => performance.now()) {}

  /**
   * A worker has ended.
   *
   * @param servedMs milliseconds for which it served; 0 when it never did
   * @param hasOthers whether other workers serve now
   * @returns milliseconds after which to replace it; nothing when it is time to give up
   */
  delayAfter(servedMs: number, hasOthers: boolean): number | undefined {
    if (servedMs >= STEADY_MS) {
      this.earlyEnds = 0;
      return DELAY_MS;
    }
    const nowMs = this.now();
    this.earlyEnds = nowMs - this.lastEarlyEndMs > QUIET_MS ? 1 : this.earlyEnds + 1;
    this.lastEarlyEndMs = nowMs;
    if (this.earlyEnds >= EARLY_ENDS_MAX && !hasOthers) return undefined;
    return Math.min(DELAY_MS * 2 ** (this.earlyEnds - 1), DELAY_MAX_MS);
  }
}
