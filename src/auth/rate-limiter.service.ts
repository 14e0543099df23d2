import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundJob } from '../infrastructure/jobs/background-job.js';
import { BoundedMap } from '../infrastructure/limits/bounded-map.js';
import { run, runForOne } from '../infrastructure/database/query.js';
import { UnitOfWork } from '../infrastructure/database/unit-of-work.js';
import { CONSUME, PURGE } from './rate-limiter.queries.js';

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
export class RateLimiterService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('rate limiter');
  private readonly purges = new BackgroundJob({
    intervalMs: PURGE_INTERVAL_MS,
    run: async () => {
      await this.work.query((tx) => run(tx, PURGE, {}));
    },
    onFailure: (err) => {
      this.logger.warn({ msg: 'expired rate limits could not be purged', err });
    },
  });
  /**
   * Until when each refused subject stays refused, in milliseconds of this process's clock. A subject that is refused does
   * not use its limit, so nothing but time ends that, and no query is needed to refuse it again.
   */
  private readonly refusedUntilMs = new BoundedMap<string, number>(REFUSED_MAX);

  constructor(private readonly work: UnitOfWork) {}

  onApplicationBootstrap(): void {
    this.purges.start(0);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.purges.stop();
  }

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
    const { is_allowed: isAllowed, wait_seconds: waitSeconds } = await this.work.query((tx) =>
      runForOne(tx, CONSUME, { subject, per_minute: perMinute }),
    );
    this.refusedUntilMs.delete(subject);
    if (isAllowed) return 0;
    this.refusedUntilMs.set(subject, startedAtMs + waitSeconds * 1_000);
    return Math.max(1, Math.ceil(waitSeconds));
  }
}
