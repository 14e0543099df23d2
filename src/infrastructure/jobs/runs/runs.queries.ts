import { query } from '../../database/query.js';
import type { Run } from './runs.types.js';

// The table `supplier_run` is not distributed, because every process reads the runs of all suppliers.

/** A run without a sign of life for this long has lost its process: a process sends several in this time. */
const LOST_AFTER = `interval '1 minute'`;
/** Runs that ended longer ago are not shown. */
const SHOWN_FOR = `interval '1 hour'`;

const IS_RUN = 'import_supplier = :import_supplier AND kind = :kind';

/** Replaces the last run of the same name, unless it is still under way. */
export const BEGIN = query<{ id: string }>(
  'runs.begin',
  `INSERT INTO supplier_run AS r (import_supplier, kind, id)
   VALUES (:import_supplier, :kind, :id)
       ON CONFLICT (import_supplier, kind) DO UPDATE
      SET id = excluded.id, started_at = now(), done = 0, expected = NULL, advanced_at = now(), outcome = NULL
    WHERE r.outcome IS NOT NULL OR r.advanced_at < now() - ${LOST_AFTER}
   RETURNING id`,
);

/**
 * Adds the items that are done, and sets the expected number of items if it has become known. Records nothing if another
 * run has replaced this one.
 */
export const ADVANCE = query<never>(
  'runs.advance',
  `UPDATE supplier_run
      SET done = done + :count::bigint, expected = coalesce(:expected::bigint, expected), advanced_at = now()
    WHERE ${IS_RUN} AND id = :id`,
);

export const END = query<never>(
  'runs.end',
  `UPDATE supplier_run
      SET outcome = :outcome, advanced_at = now()
    WHERE ${IS_RUN} AND id = :id`,
);

export const FIND = query<Run>(
  'runs.find',
  `SELECT r.started_at AS "startedAt", r.done::float8 AS done, r.expected::float8 AS expected,
          CASE WHEN r.outcome IS NULL AND r.advanced_at < now() - ${LOST_AFTER} THEN 'lost' ELSE r.outcome END AS outcome
     FROM supplier_run r
    WHERE ${IS_RUN} AND r.advanced_at > now() - ${SHOWN_FOR}`,
);
