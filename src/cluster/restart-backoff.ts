/** Delay before the first replacement of a worker that ended; each further early end doubles it … */
const DELAY_MS = 500;
/** … up to 60 times this delay, half a minute. */
const DELAY_FACTOR_MAX = 60;
/** A worker that served for less ended early: the cause may well end the next one too. */
const EARLY_MS = 60_000;
/** Early ends that are further apart than this have different causes. */
const FORGET_AFTER_MS = 600_000;
/** Early ends in a row, while no other worker serves, after which no further worker is started. */
const EARLY_ENDS_MAX = 5;

/**
 * The restart backoff of worker processes: replace a worker that ended soon when that happens now and then, more slowly
 * when it happens repeatedly, and not any more when none stays alive. The service then ends, which a process manager
 * notices.
 */
export class RestartBackoff {
  private earlyEnds = 0;
  private lastEarlyEndMs = -Infinity;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly delayMs = DELAY_MS,
    private readonly now = () => performance.now(),
  ) {}

  /**
   * The delay after the end of a worker.
   *
   * @param servedMs milliseconds for which it served; 0 when it never did
   * @param hasOthers whether other workers serve now
   * @returns milliseconds after which to replace it; undefined when the service should end
   */
  delayAfter(servedMs: number, hasOthers: boolean): number | undefined {
    if (servedMs >= EARLY_MS) {
      this.earlyEnds = 0;
      return this.delayMs;
    }
    const nowMs = this.now();
    this.earlyEnds = nowMs - this.lastEarlyEndMs > FORGET_AFTER_MS ? 1 : this.earlyEnds + 1;
    this.lastEarlyEndMs = nowMs;
    if (this.earlyEnds >= EARLY_ENDS_MAX && !hasOthers) return undefined;
    return this.delayMs * Math.min(2 ** (this.earlyEnds - 1), DELAY_FACTOR_MAX);
  }
}
