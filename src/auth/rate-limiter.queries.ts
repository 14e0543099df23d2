import { query } from '../infrastructure/database/query.js';

/** The most rows that one purge deletes; the next one continues. */
const PURGE_MAX = 10_000;

/**
 * The generic cell rate algorithm: with a limit of n a minute, an action moves the theoretical arrival time on by the n-th
 * part of a minute, and is allowed while that time is at most n such parts ahead. By hand because the decision and the
 * change must be one query: the row lock of the upsert orders the concurrent actions of a subject on all instances.
 *
 * `before` and `after` are equal, and not null, when the action is refused. The limit is written as n times the rounded
 * part rather than as a minute, so that rounding never refuses the n-th action. The present time is read after the lock is
 * acquired: the start of the query may precede that of an action that got the lock first, which would refuse the last of n
 * concurrent actions.
 */
export const CONSUME = query<{ is_allowed: boolean; wait_seconds: number }>(
  'auth.rate_limit_consume',
  `WITH price AS (SELECT interval '1 minute' / :per_minute::float8 AS cost, :per_minute::float8 AS per_minute),
  consumed AS (
    INSERT INTO rate_limit AS kept (subject, theoretical_arrival_at)
    SELECT :subject, now() + price.cost FROM price
        ON CONFLICT (subject) DO UPDATE
       SET theoretical_arrival_at =
             ( SELECT CASE WHEN greatest(kept.theoretical_arrival_at, present.time) + price.cost
                                <= present.time + price.cost * price.per_minute
                           THEN greatest(kept.theoretical_arrival_at, present.time) + price.cost
                           ELSE kept.theoretical_arrival_at
                      END
                 FROM price, (SELECT clock_timestamp()) AS present (time) )
    RETURNING old.theoretical_arrival_at AS before, new.theoretical_arrival_at AS after
  )
  SELECT consumed.before IS DISTINCT FROM consumed.after AS is_allowed,
         extract(epoch FROM consumed.after + price.cost - (clock_timestamp() + price.cost * price.per_minute))::float8
           AS wait_seconds
    FROM consumed, price`,
);

/** A time that has passed means the same as no row. Rows that a concurrent action has locked are skipped. */
export const PURGE = query<unknown>(
  'auth.rate_limit_purge',
  `DELETE FROM rate_limit
    WHERE subject IN (SELECT subject
                        FROM rate_limit
                       WHERE theoretical_arrival_at < now()
                       LIMIT ${PURGE_MAX}
                         FOR UPDATE SKIP LOCKED)`,
);
