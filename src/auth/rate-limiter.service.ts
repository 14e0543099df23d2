import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RateLimiterRepository } from './rate-limiter.repository.js';

/** How often a process purges the table. A purge reads the whole table, which holds the subjects of the last minute. */
const PURGE_INTERVAL_MS = 60_000;

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
    const { isAllowed, waitSeconds } = await this.work.single((tx) =>
      this.repository.consume(tx, subject, perMinute),
    );
    this.purgeWhenDue();
    return isAllowed ? 0 : Math.max(1, Math.ceil(waitSeconds));
  }

  /** Undo one {@link consume} that was allowed. */
  async refund(subject: string, perMinute: number): Promise<void> {
    await this.work.single((tx) => this.repository.refund(tx, subject, perMinute));
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
