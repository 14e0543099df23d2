import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RateLimiterRepository } from './rate-limiter.repository.js';

/** How often a process purges the table. A purge reads the whole table, which holds the subjects of the last minute. */
const PURGE_INTERVAL_MS = 60_000;
/** The most subjects that a process remembers as refused; beyond it the oldest is looked up again. */
const REFUSED_MAX = 10_000;

/**
 * Limits of a number of actions a minute, shared by all instances. A subject may use its whole limit at once; it then
 * becomes available again evenly. The state is in the database, which counts exactly under concurrency.
 *
 * Source: choice A9.
 */
@Injectable()
export class RateLimiterService {
  private readonly logger = new Logger('rate limiter');
  private purgeDueMs = 0;
  /**
   * Until when each refused subject stays refused, in milliseconds of this process's clock. A subject that is refused does
   * not use its limit, so nothing but time ends that, and no query is needed to refuse it again.
   */
  private readonly refusedUntilMs = new Map<string, number>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: RateLimiterRepository,
  ) {}

  /**
   * Count one action of a subject, if its limit allows it.
   *
   * @param subject prefixed with its kind, for example `organisation:…`
   * @param perMinute the limit, 1 or more
   * @returns 0 when the action is allowed, else the whole seconds until it will be, 1 or more
   */
  async consume(subject: string, perMinute: number): Promise<number> {
    const startedAtMs = performance.now();
    const remainingMs = (this.refusedUntilMs.get(subject) ?? 0) - startedAtMs;
    if (remainingMs > 0) return Math.ceil(remainingMs / 1_000);
    const { isAllowed, waitSeconds } = await this.work.single((tx) =>
      this.repository.consume(tx, subject, perMinute),
    );
    this.purgeWhenDue();
    this.refusedUntilMs.delete(subject);
    if (isAllowed) return 0;
    this.remember(subject, startedAtMs + waitSeconds * 1_000);
    return Math.max(1, Math.ceil(waitSeconds));
  }

  private remember(subject: string, untilMs: number): void {
    this.refusedUntilMs.set(subject, untilMs);
    const [oldest] = this.refusedUntilMs.keys();
    if (this.refusedUntilMs.size > REFUSED_MAX && oldest !== undefined) this.refusedUntilMs.delete(oldest);
  }

  /** Runs in the background, and its failure affects no request: the next purge deletes what this one left. */
  private purgeWhenDue(): void {
    const now = performance.now();
    if (now < this.purgeDueMs) return;
    this.purgeDueMs = now + PURGE_INTERVAL_MS;
    this.work
      .single((tx) => this.repository.purge(tx))
      .catch((err: unknown) => {
        this.logger.warn({ msg: 'expired rate limits could not be purged', err });
      });
  }
}
