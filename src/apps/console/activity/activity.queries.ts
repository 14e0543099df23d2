import { query } from '../../../infrastructure/database/query.js';
import { shortenedMembers } from '../../../infrastructure/database/shortened.js';
import type { RecordedActivity, RecordedView } from './activity.types.js';

/**
 * SQL for the rows of one supplier before a given one, and their order. Both match an index that begins with the supplier.
 * Ordered by time alone, PostgreSQL might read the rows of all suppliers until a page is full.
 */
const PAGE = (row: string): string =>
  `${row}.import_supplier >= :import_supplier
      AND (${row}.import_supplier, ${row}.at, ${row}.id) < (:import_supplier, :before_at::timestamptz, :before_id::uuid)`;
const ORDER = (row: string): string => `${row}.import_supplier DESC, ${row}.at DESC, ${row}.id DESC`;

/**
 * Runs, by their starts, and changes. Changes of single accounts are left out, because there may be millions. Rows that a
 * filter rejects are read too, but a supplier has only thousands.
 */
export const ACTIVITY = query<RecordedActivity>(
  'console.activity',
  `SELECT e.id, e.at, e.at::text AS exact_at, e.operator, e.action, e.subject, e.external_account_number AS "externalAccountNumber",
          ${shortenedMembers('e.details')} AS details, ended.at AS "endedAt", ${shortenedMembers('ended.details')} AS "end"
     FROM audit_entry e
     LEFT JOIN LATERAL (
            SELECT r.at, r.details
              FROM audit_entry r
             WHERE r.details ->> 'run' = e.details ->> 'run' AND r.details ->> 'event' = 'ended'
             LIMIT 1
          ) AS ended ON true
    WHERE ${PAGE('e')}
      AND (e.external_account_number IS NULL OR e.details ->> 'run' IS NOT NULL)
      AND e.details ->> 'event' IS DISTINCT FROM 'ended'
      AND e.action = ANY (:actions::text[])
    ORDER BY ${ORDER('e')}
    LIMIT :count_max::integer`,
);

export const VIEWS = query<RecordedView>(
  'console.activity_views',
  `SELECT v.id, v.at, v.at::text AS exact_at, v.last_at AS "lastAt", v.count, v.from_other_sites AS "fromOtherSites", v.viewer,
          v.action, nullif(v.external_account_number, '') AS "externalAccountNumber"
     FROM viewed v
    WHERE ${PAGE('v')}
    ORDER BY ${ORDER('v')}
    LIMIT :count_max::integer`,
);
