import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RateLimiterRepository } from './rate-limiter.repository.js';

/** How often a process looks for rows that say nothing any more. One pass reads a table of the last minute's subjects. */
const SWEEP_INTERVAL_MS = 60_000;

/**
 * Allowances of so many actions a minute, shared by all instances: the whole of it may be used at once and comes back
 * evenly. Kept in the database, which counts exactly under concurrency.
 *
 * Source: contract A9.
 */
@Injectable()
export class RateLimiterService {
  private readonly logger = new Logger('rate allowances');
  private sweepDueMs = 0;

  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: RateLimiterRepository,
  ) {}

  /**
   * Take one action off a subject's allowance.
   *
   * @param subject whose allowance; the kind in front, for example `organisation:…`
   * @param perMinute how many actions the whole allowance is
   * @returns 0 when the action is admitted, else the whole seconds after which it would be, 1 or more
   */
  async spend(subject: string, perMinute: number): Promise<number> {
    const { isAdmitted, waitSeconds } = await this.work.single((tx) =>
      this.repository.spend(tx, subject, perMinute),
    );
    this.sweepWhenDue();
    return isAdmitted ? 0 : Math.max(1, Math.ceil(waitSeconds));
  }

  /** Undo one {@link spend} that was admitted. */
  async giveBack(subject: string, perMinute: number): Promise<void> {
    await this.work.single((tx) => this.repository.giveBack(tx, subject, perMinute));
  }

  /** Nobody waits for it, and nobody is refused because it fails: what is left over is swept the next time. */
  private sweepWhenDue(): void {
    const now = performance.now();
    if (now < this.sweepDueMs) return;
    this.sweepDueMs = now + SWEEP_INTERVAL_MS;
    this.work
      .single((tx) => this.repository.sweep(tx))
      .catch((err: unknown) => {
        this.logger.warn({ msg: 'allowances of the past could not be swept out', err });
      });
  }
}
