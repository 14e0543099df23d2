/** The most causes that are listed. */
export const CAUSES_MAX = 100;

/** A cause, with the counts of its failures. */
export interface CountedCause {
  /** Identifies it within its supplier. */
  readonly cause: string;
  readonly count: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  /**
   * How many there were in each step of the period, counted from 1. A step without failures is missing. Step 0 has those
   * before the period.
   */
  readonly trend: Readonly<Record<string, number>>;
  /** The number of failures of all causes, and the number of causes, including those that are not listed. */
  readonly countOfAll: number;
  readonly causeCount: number;
}

/**
 * SQL that counts failures by their causes, the most frequent first: {@link CountedCause}. Its parameter `steps` has the
 * times at which the steps of the period begin. Failures are first counted by the column that the cause depends on, so that
 * the cause is worked out once for many failures. OFFSET 0 keeps the planner from merging two subqueries: it would assume a
 * separate step for each time and sort the failures on disk, and it would check for each failure whether its cause is
 * wanted.
 *
 * @param column the column that the cause of a failure depends on
 * @param cause SQL for the cause, from the column of `t`
 * @param at the column of the failure's time
 * @param failures SQL after `FROM`
 * @param wanted SQL for which causes are wanted, from `u.cause`
 */
export function countCauses(
  column: string,
  cause: string,
  timeColumn: string,
  failures: string,
  wanted = 'true',
): string {
  return `
     SELECT u.cause, sum(u.count)::integer AS count, min(u.first_at) AS "firstAt", max(u.last_at) AS "lastAt",
            json_object_agg(u.step, u.count) AS trend, (sum(sum(u.count)) OVER ())::integer AS "countOfAll",
            (count(*) OVER ())::integer AS "causeCount"
       FROM (SELECT ${cause} AS cause, t.step, sum(t.count) AS count, min(t.first_at) AS first_at, max(t.last_at) AS last_at
               FROM (SELECT s.${column}, s.step, count(*) AS count, min(s.at) AS first_at, max(s.at) AS last_at
                       FROM (SELECT ${column}, ${timeColumn} AS at, coalesce(width_bucket(${timeColumn}, :steps::timestamptz[]), 0) AS step
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
