import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundJob } from '../infrastructure/jobs/background-job.js';
import { BoundedMap } from '../infrastructure/limits/bounded-map.js';
import { run, runForOne } from '../infrastructure/database/query.js';
import { UnitOfWork } from '../infrastructure/database/unit-of-work.js';
import { CONSUME, PURGE } from './rate-limiter.queries.js';

/** Interval at which a process purges the table. A purge reads the whole table, which holds the subjects of the last minute. */
const PURGE_INTERVAL_MS = 60_000;
/** Most subjects that a process caches as refused; beyond this, the oldest is evicted and queried again. */
const REFUSED_MAX = 10_000;

/**
 * Limits the actions of a subject per minute, across all instances. A subject may use its whole limit at once; the limit then
 * becomes available again at an even rate. The state is in the database, which counts exactly under concurrency.
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
   * The time until which each refused subject stays refused, in milliseconds of this process's clock. A refused action does not
   * use up the limit, so only time ends the refusal, and refusing again needs no query.
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
   * Count one action of a subject if its limit allows it.
   *
   * @param subject prefixed with its kind, for example `organisation:…`
   * @param perMinute the limit, at least 1
   * @returns 0 when the action is allowed, else the whole seconds until it will be, at least 1
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
