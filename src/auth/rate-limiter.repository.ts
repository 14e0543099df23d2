import { Injectable } from '@nestjs/common';
import { run, runForOne, query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';

/** Rows deleted at most in one sweep; what is left over goes in the next. */
const SWEPT_MAX = 10_000;

/**
 * One action costs a minute's n-th part, and the moment of the whole allowance moves on by it; that moment may lie as
 * much ahead as n actions cost (the generic cell rate algorithm). The row lock of the upsert lets concurrent actions of
 * a subject pass one after another, on whatever instance they arrive. `before` and `after` are equal, and not null, when
 * the action is refused. The limit is n times the rounded cost rather than a minute, so that rounding costs nobody the
 * last action.
 *
 * The present moment is asked for behind the lock: the one at which the statement began may lie before that of an action
 * which was let pass first, and would refuse the last of n actions that come at once.
 */
const SPEND = query<{ is_admitted: boolean; wait_seconds: number }>(
  'auth.rate_limit_spend',
  `WITH price AS (SELECT interval '1 minute' / $2::float8 AS cost, $2::float8 AS per_minute),
  spent AS (
    INSERT INTO rate_limit AS kept (subject, theoretical_arrival_at)
    SELECT $1, now() + price.cost FROM price
        ON CONFLICT (subject) DO UPDATE
       SET theoretical_arrival_at =
             ( SELECT CASE WHEN greatest(kept.theoretical_arrival_at, present.moment) + price.cost
                                <= present.moment + price.cost * price.per_minute
                           THEN greatest(kept.theoretical_arrival_at, present.moment) + price.cost
                           ELSE kept.theoretical_arrival_at
                      END
                 FROM price, (SELECT clock_timestamp()) AS present (moment) )
    RETURNING old.theoretical_arrival_at AS before, new.theoretical_arrival_at AS after
  )
  SELECT spent.before IS DISTINCT FROM spent.after AS is_admitted,
         extract(epoch FROM spent.after + price.cost - (clock_timestamp() + price.cost * price.per_minute))::float8
           AS wait_seconds
    FROM spent, price`,
);

const GIVE_BACK = query<unknown>(
  'auth.rate_limit_give_back',
  `UPDATE rate_limit SET theoretical_arrival_at = theoretical_arrival_at - interval '1 minute' / $2::float8 WHERE subject = $1`,
);

/** A row whose moment has passed says the same as no row. Rows that somebody is using just now are left alone. */
const SWEEP = query<unknown>(
  'auth.rate_limit_sweep',
  `DELETE FROM rate_limit
    WHERE subject IN (SELECT subject FROM rate_limit WHERE theoretical_arrival_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED)`,
);

@Injectable()
export class RateLimiterRepository {
  /** @returns whether the action is admitted; if not, the seconds until it would be */
  async spend(
    tx: Tx,
    subject: string,
    perMinute: number,
  ): Promise<{ isAdmitted: boolean; waitSeconds: number }> {
    const row = await runForOne(tx, SPEND, [subject, perMinute]);
    return { isAdmitted: row.is_admitted, waitSeconds: row.wait_seconds };
  }

  async giveBack(tx: Tx, subject: string, perMinute: number): Promise<void> {
    await run(tx, GIVE_BACK, [subject, perMinute]);
  }

  async sweep(tx: Tx): Promise<void> {
    await run(tx, SWEEP, [SWEPT_MAX]);
  }
}
