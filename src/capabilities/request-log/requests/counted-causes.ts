/** Causes that are listed at most. */
export const CAUSES_MAX = 100;

/** What failures of one cause have in common. */
export interface CountedCause {
  /** Identifies it within its supplier. */
  readonly cause: string;
  readonly count: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  /** How many there were in each step of the period, from 1; a step without any is missing. Those before it are in the step 0. */
  readonly trend: Readonly<Record<string, number>>;
  /** Failures of all causes, and how many causes there are, beyond those that are listed. */
  readonly countOfAll: number;
  readonly causeCount: number;
}

/**
 * SQL that counts failures by their causes, the commonest first: {@link CountedCause}. Its parameter `steps` has the times at which the
 * steps of the period begin. What the cause depends on is counted first, so that it is worked out once for many failures. The steps are
 * planned by themselves: the planner takes each time for another step, and would sort the failures on disk. So is what is counted:
 * the planner would ask each failure whether its cause is wanted.
 *
 * @param column on which the cause of a failure depends
 * @param cause SQL for the cause, of the column of `t`
 * @param at the column of its time
 * @param failures SQL after `FROM`
 * @param wanted SQL for which causes are wanted, of `u.cause`
 */
export function countCauses(
  column: string,
  cause: string,
  at: string,
  failures: string,
  wanted = 'true',
): string {
  return `
     SELECT u.cause, sum(u.count)::integer AS count, min(u.first_at) AS "firstAt", max(u.last_at) AS "lastAt",
            json_object_agg(u.step, u.count) AS trend, (sum(sum(u.count)) OVER ())::integer AS "countOfAll",
            (count(*) OVER ())::integer AS "causeCount"
       FROM (SELECT ${cause} AS cause, t.step, sum(t.count) AS count, min(t.first_at) AS first_at, max(t.last_at) AS last_at
               FROM (SELECT s.${column}, s.step, count(*) AS count, min(s.at) AS first_at, max(s.at) AS last_at
                       FROM (SELECT ${column}, ${at} AS at, coalesce(width_bucket(${at}, :steps::timestamptz[]), 0) AS step
                               FROM ${failures}
                             OFFSET 0) AS s
                      GROUP BY 1, 2) AS t
              GROUP BY 1, 2
             OFFSET 0) AS u
      WHERE ${wanted}
      GROUP BY u.cause
      ORDER BY 2 DESC, 4 DESC, 1
      LIMIT ${CAUSES_MAX}`;
}
