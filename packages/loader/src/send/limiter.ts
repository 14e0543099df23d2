import { EventEmitter, once } from 'node:events';
import type { Clock } from '../common/clock.js';

/** Pause after the first failure. Each further failure doubles it. */
const PAUSE_MS = 250;
const PAUSE_MAX_MS = 15_000;

/** Successes per allowed request before the concurrency is raised by one. */
const SUCCESSES_PER_STEP = 20;

/**
 * Limits when requests may begin, for all workers together. When the service asks for a pause, no worker sends until it is over.
 * When the service is overloaded, fewer requests run at a time, and the limit is raised again gradually.
 */
export class Limiter {
  /** The number of requests that may currently run at a time. */
  limit: number;
  private running = 0;
  private heldUntil = 0;
  private successes = 0;
  /** Failures since the last success. */
  private failures = 0;
  private loweredAt = 0;
  private readonly turns = new EventEmitter().setMaxListeners(0);

  constructor(
    private readonly concurrency: number,
    private readonly clock: Clock,
  ) {
    this.limit = concurrency;
  }

  /** Wait until a request may begin. @returns false when the signal is aborted first */
  async begin(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      if (signal.aborted) return false;
      const pause = this.heldUntil - this.clock.now();
      if (pause > 0) await this.clock.sleep(pause, signal);
      else if (this.running >= this.limit) await once(this.turns, 'turn', { signal }).catch(() => undefined);
      else break;
    }
    this.running += 1;
    return true;
  }

  /** Report that a request has ended, whatever its answer. */
  end(): void {
    this.running -= 1;
    this.wake();
  }

  /** Report that the service accepted or rejected a request. */
  succeeded(): void {
    this.failures = 0;
    this.successes += 1;
    if (this.limit < this.concurrency && this.successes >= SUCCESSES_PER_STEP * this.limit) {
      this.successes = 0;
      this.limit += 1;
      this.wake();
    }
  }

  /**
   * Report that the service is overloaded or not ready: 429 or 503.
   *
   * @param retryAfterMs the pause that the service requests, if any
   * @param isOverloaded whether a lower concurrency could help
   */
  refused(retryAfterMs: number | undefined, isOverloaded: boolean): void {
    this.hold(retryAfterMs ?? this.nextPauseMs());
    // Answers to requests that ran at the same time count once.
    if (!isOverloaded || this.clock.now() < this.loweredAt) return;
    this.limit = Math.max(1, Math.floor(this.limit / 2));
    this.successes = 0;
    this.loweredAt = this.heldUntil;
  }

  /**
   * Report that a request failed without a reason from the service: 500, or no answer.
   *
   * @returns the milliseconds to wait
   */
  failed(): number {
    const pause = this.nextPauseMs();
    // A single failure among successes says nothing about other requests.
    if (this.failures > 1) this.hold(pause);
    return pause;
  }

  private hold(ms: number): void {
    this.heldUntil = Math.max(this.heldUntil, this.clock.now() + ms);
  }

  /** Exponential backoff with jitter (half to all of the pause), so that loaders do not all return at once. */
  private nextPauseMs(): number {
    const longest = Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** Math.min(this.failures, 16));
    this.failures += 1;
    return longest * (0.5 + this.clock.random() / 2);
  }

  private wake(): void {
    this.turns.emit('turn');
  }
}
