import { query } from '../database/query.js';
import type { FeedReader, FeedState } from './readers.types.js';

/**
 * The time of a change that a reader has not done yet is that of the next one that still has one: an erased change has none. It
 * is read in the order of the numbers, and there is one unless all that follow are erased.
 */
export const LIST = query<FeedReader>(
  'feed.list_readers',
  `SELECT r.name, r.sequence::float8 AS sequence, r.asked_at AS "askedAt",
          greatest(f.last_sequence - r.sequence, 0)::float8 AS "lagChanges",
          CASE WHEN r.sequence >= f.last_sequence THEN 0
               ELSE coalesce((SELECT greatest(extract(epoch FROM now() - c.at), 0)
                                FROM {feed_change c}
                               WHERE c.import_supplier_id = :import_supplier_id AND c.sequence > r.sequence AND c.at IS NOT NULL
                               ORDER BY c.sequence
                               LIMIT 1), 0)::float8
           END AS "lagSeconds"
     FROM {feed_reader r}
     JOIN {feed f} ON f.import_supplier_id = r.import_supplier_id
    WHERE r.import_supplier_id = :import_supplier_id
    ORDER BY r.name`,
);

/** Nothing before the first change was numbered. */
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

/** The suppliers whose readers somebody has to watch. */
export const SUPPLIERS = query<{ id: number }>(
  'feed.suppliers_not_archived',
  `SELECT id FROM import_supplier WHERE archived_at IS NULL ORDER BY id`,
);
