import { query } from '../database/query.js';
import { rankOf } from './change-types.js';

/**
 * SQL that identifies the server that runs the query. The timeline is that of its current WAL, so it is right even before the
 * first checkpoint on it.
 */
const SYSTEM_IDENTIFIER = '(SELECT c.system_identifier FROM pg_control_system() c)';
const TIMELINE = `('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer`;

/** The locked feed, and how the current server compares with the one that was recorded last. */
export interface LockedFeed {
  readonly is_failed_over: boolean;
  readonly is_on_known_server: boolean;
}

const lockQuery = (lockOption: string): string => `
  SELECT coalesce(server.system_identifier = f.system_identifier AND server.timeline <> f.timeline, false) AS is_failed_over,
         coalesce(server.system_identifier = f.system_identifier AND server.timeline = f.timeline, false) AS is_on_known_server
    FROM {feed f}, (SELECT ${SYSTEM_IDENTIFIER} AS system_identifier, ${TIMELINE} AS timeline) AS server
   WHERE f.import_supplier_id = :import_supplier_id AND {held}
     FOR UPDATE OF f ${lockOption}`;

export const LOCK = query<LockedFeed>('changes.lock_feed', lockQuery(''));
export const TRY_LOCK = query<LockedFeed>('changes.try_lock_feed', lockQuery('SKIP LOCKED'));

export const CREATE = query<never>(
  'changes.create_feed',
  `WITH created AS (
     INSERT INTO {feed} (import_supplier_id) VALUES (:import_supplier_id) ON CONFLICT DO NOTHING RETURNING import_supplier_id
   )
   INSERT INTO {feed_epoch} (import_supplier_id, number, continues_after, reason)
   SELECT created.import_supplier_id, 1, 0, 'the first one' FROM created WHERE {held}`,
);

export const FIND = query<{ id: number }>(
  'changes.find_feed',
  `SELECT f.import_supplier_id AS id FROM {feed f} WHERE f.import_supplier_id = :import_supplier_id`,
);

export const REMEMBER_SERVER = query<never>(
  'changes.remember_server',
  `UPDATE {feed}
      SET system_identifier = ${SYSTEM_IDENTIFIER}, timeline = ${TIMELINE}
    WHERE import_supplier_id = :import_supplier_id AND {held}`,
);

export const BEGIN_EPOCH = query<never>(
  'changes.begin_epoch',
  `INSERT INTO {feed_epoch} (import_supplier_id, number, continues_after, reason)
   SELECT :import_supplier_id, max(e.number) + 1, max(f.last_sequence), :reason
     FROM {feed_epoch e}
     JOIN {feed f} ON f.import_supplier_id = e.import_supplier_id
    WHERE e.import_supplier_id = :import_supplier_id AND {held}
   HAVING count(*) > 0`,
);

/**
 * SQL of common table expressions that assign the next numbers to the changes of the supplier `:import_supplier_id`, in the order
 * within a step, and write them to the log. Changes without a type get no number.
 *
 * @param taken name of a common table expression with rows of the queue; the transaction must hold the feed lock
 */
export function numbered(taken: string): string {
  return `
   ordered AS (
     SELECT t.type, t.at, t.external_account_number, t.import_request_id, t.status,
            row_number() OVER (ORDER BY ${rankOf('t.type')}, t.at, t.external_account_number, t.import_request_id) AS position
       FROM ${taken} t
      WHERE t.type IS NOT NULL
   ),
   logged AS (
     INSERT INTO {feed_change} (import_supplier_id, sequence, at, import_request_id, external_account_number, type, status)
     SELECT f.import_supplier_id, f.last_sequence + o.position, o.at, o.import_request_id, o.external_account_number, o.type, o.status
       FROM ordered o, {feed f}
      WHERE f.import_supplier_id = :import_supplier_id
      ORDER BY o.position
   ),
   advanced AS (
     UPDATE {feed f}
        SET last_sequence = f.last_sequence + (SELECT count(*) FROM ordered)
      WHERE f.import_supplier_id = :import_supplier_id AND EXISTS (SELECT FROM ordered)
   )`;
}

/** Numbers the changes that the transaction sees. Their effect on the totals stays in the queue. */
export const NUMBER = query<never>(
  'changes.number',
  `WITH taken AS (
     UPDATE {supplier_change c}
        SET type = NULL, import_request_id = NULL, status = NULL
      WHERE c.import_supplier_id = :import_supplier_id AND c.type IS NOT NULL
     RETURNING old.type, old.at, old.external_account_number, old.import_request_id, old.status
   ),${numbered('taken')}
   SELECT WHERE NOT {held}`,
);
