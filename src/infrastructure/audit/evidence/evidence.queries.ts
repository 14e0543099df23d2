import { query } from '../../database/query.js';
import type { Evidence } from './evidence.types.js';

// The table `viewed` is not distributed: a sign-in belongs to no supplier, and the list is ordered by time.

/** Rows removed at a time: a fraction of a second of work. */
const REMOVED_MAX = 5_000;

/**
 * One row an hour. An update changes no indexed column, so counting leaves no dead entries in the indexes. Nothing is recorded
 * for an account that does not exist.
 */
export const RECORD_VIEW = query<{ count: number }>(
  'evidence.record_view',
  `INSERT INTO viewed AS v (viewer, action, import_supplier, external_account_number, hour, at, last_at, count, from_other_sites)
   SELECT :viewer::text, :action::text, :import_supplier::text, a.external_account_number,
          date_trunc('hour', now(), 'UTC'), now(), now(), 1, :from_other_sites::integer
     FROM account_import a
    WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = :external_account_number
       ON CONFLICT (import_supplier, external_account_number, viewer, action, hour) DO UPDATE
      SET count = v.count + 1, last_at = greatest(v.last_at, excluded.last_at),
          from_other_sites = v.from_other_sites + excluded.from_other_sites
   RETURNING count`,
);

/** A view of all accounts of a supplier. */
export const RECORD_OF_SUPPLIER = query<never>(
  'evidence.record_of_supplier',
  `INSERT INTO viewed AS v (viewer, action, import_supplier, external_account_number, hour, at, last_at, count, from_other_sites)
   VALUES (:viewer, :action, :import_supplier, '', date_trunc('hour', now(), 'UTC'), now(), now(), :count, :from_other_sites)
       ON CONFLICT (import_supplier, external_account_number, viewer, action, hour) DO UPDATE
      SET count = v.count + excluded.count, last_at = greatest(v.last_at, excluded.last_at),
          from_other_sites = v.from_other_sites + excluded.from_other_sites`,
);

export const RECORD_SESSION = query<never>(
  'evidence.record_sign_in',
  `INSERT INTO viewed (viewer, action, session_id, hour, at, last_at, count)
   VALUES (:viewer, :action, :session_id::uuid, date_trunc('hour', now(), 'UTC'), now(), now(), 1)`,
);

/**
 * A row has the time of the first view in its hour. So the rows of the whole first hour are read, because their last view may be
 * later.
 */
export const LIST = query<Evidence>(
  'evidence.list',
  `SELECT v.id, v.at, v.at::text AS exact_at, v.last_at, v.count, v.from_other_sites, v.viewer AS operator, v.action,
          coalesce(nullif(v.external_account_number, ''), v.session_id::text, v.import_supplier) AS subject,
          v.import_supplier
     FROM viewed v
    WHERE v.at >= date_trunc('hour', :since::timestamptz, 'UTC') AND v.last_at >= :since::timestamptz
      AND (v.at, v.id) < (:before_at::timestamptz, :before_id::uuid)
      AND (:import_supplier::text IS NULL OR v.import_supplier = :import_supplier)
      AND (:operator::text IS NULL OR v.viewer = :operator)
    ORDER BY v.at DESC, v.id DESC
    LIMIT :count_max::integer`,
);

/** The oldest rows first, without those that another process is removing. */
export const REMOVE_OLD = query<{ count: number }>(
  'evidence.remove_old',
  `WITH removed AS (
     DELETE FROM viewed
      WHERE id = ANY (ARRAY(
              SELECT oldest.id
                FROM viewed oldest
               WHERE oldest.at < now() - make_interval(days => :days::integer)
               ORDER BY oldest.at
               LIMIT ${REMOVED_MAX}
                 FOR UPDATE SKIP LOCKED
            ))
     RETURNING id
   )
   SELECT count(*)::integer AS count FROM removed`,
);

/** Feed readers that have not polled for this long, and those whose key ended a day ago (choice E6). */
export const FORGET_READERS = query<never>(
  'evidence.forget_readers',
  `DELETE FROM feed_reader
    WHERE asked_at < now() - make_interval(days => :days::integer)
       OR platform_key_id = ANY (ARRAY(
            SELECT k.id FROM platform_key k WHERE least(k.revoked_at, k.expires_at) < now() - interval '1 day'
          ))`,
);

/** Waits for transactions that are recording a view of an account that existed before; this takes milliseconds. */
export const LOCK = query<never>('evidence.lock', 'LOCK TABLE viewed IN SHARE ROW EXCLUSIVE MODE');

export const REMOVE_OF_ACCOUNTS = query<{ count: number }>(
  'evidence.remove_of_accounts',
  `WITH removed AS (
     DELETE FROM viewed
      WHERE id = ANY (ARRAY(
              SELECT v.id
                FROM viewed v
               WHERE v.import_supplier = :import_supplier
                 AND v.external_account_number = ANY (:account_numbers::text[])
               LIMIT ${REMOVED_MAX}
            ))
     RETURNING id
   )
   SELECT count(*)::integer AS count FROM removed`,
);
