import { query } from '../infrastructure/database/query.js';

/** The most rows that one purge deletes; the next one continues. */
const PURGE_MAX = 10_000;

/**
 * The generic cell rate algorithm. With a limit of n per minute, an action moves the theoretical arrival time on by 1/n
 * minute, and is allowed if that time is then at most n such steps ahead. The SQL is hand-written because the decision and the
 * change must be one query: the upsert's row lock puts the concurrent actions of a subject on all instances in order.
 *
 * `before` and `after` are equal, and not null, when the action is refused. The limit is written as n times the rounded
 * step rather than as a minute, so that rounding never refuses the n-th action. The current time is read after the lock is
 * acquired: this query may have started before an action that got the lock first, and using its start time would refuse the
 * last of n concurrent actions.
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

/** A row whose time has passed means the same as no row. Rows locked by a concurrent action are skipped. */
export const PURGE = query<unknown>(
  'auth.rate_limit_purge',
  `DELETE FROM rate_limit
    WHERE subject IN (SELECT subject
                        FROM rate_limit
                       WHERE theoretical_arrival_at < now()
                       LIMIT ${PURGE_MAX}
                         FOR UPDATE SKIP LOCKED)`,
);
