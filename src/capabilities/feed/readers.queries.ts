import { query } from '../../infrastructure/database/query.js';
import type { FeedReader, FeedState } from './readers.types.js';

/**
 * SQL for the readers of a supplier. The lag in seconds is counted from the next change that still has a time, because an erased change has none. The search
 * follows the order of the numbers and ends at the first such change; there is none only when all that follow are erased.
 */
export const readersOf = (supplier: string): string => `
   SELECT r.name, r.platform_key_id AS "platformKeyId", r.sequence::float8 AS sequence, r.asked_at AS "askedAt",
          greatest(f.last_sequence - r.sequence, 0)::float8 AS "lagChanges",
          CASE WHEN r.sequence >= f.last_sequence THEN 0
               ELSE coalesce((SELECT greatest(extract(epoch FROM now() - c.at), 0)
                                FROM {feed_change c}
                               WHERE c.import_supplier_id = ${supplier} AND c.sequence > r.sequence AND c.at IS NOT NULL
                               ORDER BY c.sequence
                               LIMIT 1), 0)::float8
           END AS "lagSeconds"
     FROM {feed_reader r}
     JOIN {feed f} ON f.import_supplier_id = r.import_supplier_id
    WHERE r.import_supplier_id = ${supplier}`;

export const LIST = query<FeedReader>(
  'feed.list_readers',
  `${readersOf(':import_supplier_id')} ORDER BY r.name, r.platform_key_id`,
);

/** No row before the first change was numbered. */
export const STATE = query<Omit<FeedState, 'readers'>>(
  'feed.state',
  `SELECT f.last_sequence::float8 AS "lastSequence", e.number AS epoch, e.began_at AS "epochBeganAt", e.reason AS "epochReason"
     FROM {feed f}
     JOIN {feed_epoch e} ON e.import_supplier_id = f.import_supplier_id
    WHERE f.import_supplier_id = :import_supplier_id
    ORDER BY e.number DESC
    LIMIT 1`,
);

export const FORGET = query<{ sequence: number }>(
  'feed.forget_reader',
  `DELETE FROM {feed_reader} WHERE import_supplier_id = :import_supplier_id AND name = :name AND {held} RETURNING sequence::float8 AS sequence`,
);

/** The number is written when it differs, the time at most every ten seconds. Without a number the stored one stays. */
export const RECORD = query<{ sequence: number }>(
  'feed.record_reader',
  `WITH recorded AS (
     UPDATE {feed_reader r}
        SET sequence = coalesce(:sequence::bigint, r.sequence), asked_at = now()
      WHERE r.import_supplier_id = :import_supplier_id AND r.name = :name AND r.platform_key_id = :platform_key_id AND {held}
        AND (r.sequence <> :sequence::bigint OR r.asked_at < now() - interval '10 seconds')
   )
   SELECT r.sequence::float8 AS sequence
     FROM {feed_reader r}
    WHERE r.import_supplier_id = :import_supplier_id AND r.name = :name AND r.platform_key_id = :platform_key_id`,
);

/** The most reader names of a supplier, over all keys. */
const READERS_MAX = 100;

/**
 * Runs in a transaction that holds the lock of the feed, so that two new names count each other. When there is no room, the
 * reader that has been silent longest gives up its place.
 */
export const ADD = query<{ sequence: number }>(
  'feed.add_reader',
  `WITH others AS (
     SELECT r.name, r.platform_key_id, r.asked_at, row_number() OVER (ORDER BY r.asked_at DESC) AS position
       FROM {feed_reader r}
      WHERE r.import_supplier_id = :import_supplier_id AND (r.name, r.platform_key_id) <> (:name, :platform_key_id::uuid)
   ),
   forgotten AS (
     DELETE FROM {feed_reader r} USING others o
      WHERE r.import_supplier_id = :import_supplier_id AND (r.name, r.platform_key_id) = (o.name, o.platform_key_id)
        AND o.position >= ${READERS_MAX} AND o.asked_at < now() - interval '1 day'
   )
   INSERT INTO {feed_reader} (import_supplier_id, name, platform_key_id, sequence)
   SELECT :import_supplier_id, :name, :platform_key_id, coalesce(:sequence::bigint, 0)
    WHERE {held} AND NOT EXISTS (SELECT FROM others o WHERE o.position >= ${READERS_MAX} AND o.asked_at >= now() - interval '1 day')
       ON CONFLICT (import_supplier_id, name, platform_key_id) DO UPDATE SET asked_at = now()
   RETURNING sequence::float8 AS sequence`,
);
