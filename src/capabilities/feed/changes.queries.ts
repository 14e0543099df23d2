import { PAGE_BYTES_MAX } from '../../infrastructure/limits/budget.js';
import { ADDED_TYPES } from '../../infrastructure/change-log/change-types.js';
import { query } from '../../infrastructure/database/query.js';
import { ITEM_NAMES, type ItemName } from '../../infrastructure/item-names/item-names.js';
import { ITEMS } from '../../ingest/kinds/items.js';
import { itemJson } from './item-json.js';
import type { ChangeRow, FeedHead } from './changes.types.js';

/**
 * The expected size of a change in bytes, before its items are read. Stored items have names and locations that were not
 * sent. Documents make notes about four times as long, and the object of an account is stored compressed.
 */
const EXPECTED_BYTES = `coalesce(coalesce(r.bytes, 0)::bigint * CASE r.kind WHEN 'notes' THEN 4 ELSE 1 END + r.stored * 500, a.account_bytes, 0)`;

const added = ADDED_TYPES.map((type) => `'${type}'`).join(', ');

/** The newest number of a supplier's feed and its current epoch. */
const HEAD = `
   SELECT f.last_sequence, e.id AS epoch
     FROM {feed f}
    CROSS JOIN LATERAL (
      SELECT e.id FROM {feed_epoch e} WHERE e.import_supplier_id = f.import_supplier_id ORDER BY e.number DESC LIMIT 1
    ) AS e
    WHERE f.import_supplier_id = :import_supplier_id`;

export const FIND_HEAD = query<FeedHead>(
  'feed.head',
  `SELECT head.last_sequence::float8 AS "lastSequence", head.epoch FROM (${HEAD}) AS head`,
);

/**
 * SQL for whether the row `item` belongs to a request of the batch that meets `condition`. The rows of each account are
 * read once, in the order of the primary key, however many of its changes are in the batch, because no index covers the
 * requests. The subquery is an IN value, which is always hashed, whatever the planner expects of the batch. A join might
 * compare every row with every request.
 */
const belongsToBatch = (condition: string): string => `
        item.import_supplier_id = :import_supplier_id
        AND item.external_account_number = ANY (ARRAY(SELECT DISTINCT b.external_account_number FROM batch b WHERE ${condition}))
        AND (item.import_request_id IN (SELECT b.import_request_id FROM batch b WHERE ${condition})) IS TRUE`;

/** The items of the requests of one kind. */
function itemsOf(name: ItemName): string {
  const { text, from } = itemJson(name);
  const { request, table } = ITEMS[name];
  const condition = `b.type = '${request}.added' AND NOT b.is_removed`;
  return `
     SELECT item.import_request_id, string_agg(${text}, ',') AS items
       FROM {${table} item}${from}
      WHERE ${belongsToBatch(condition)}
      GROUP BY item.import_request_id`;
}

/** The note that a request of transactions has pinned. No other note has the id of this request. */
function pinnedNotes(): string {
  const { text, from } = itemJson('notes');
  return `
     SELECT item.import_request_id, ${text} AS note
       FROM {${ITEMS.notes.table} item}${from}
      WHERE ${belongsToBatch('b.pinned_notes > 0 AND NOT b.is_removed')}`;
}

/**
 * The changes after a number, oldest first, with everything that belongs to them, in one snapshot. A reader therefore never
 * sees items of a request that is being undone, because the first transaction of the undo marks its record. Neither does it
 * see items of an account that is being erased, because the first transaction of the erasure deletes the account. The
 * number of an erased account is not given to another account before the feed has lost its changes (decision 19).
 *
 * Records and accounts are looked up one by one, whatever the planner expects of `:limit`. The head is returned even
 * without a change; no row is returned when the epoch is a different one.
 */
export const READ_BATCH = query<ChangeRow>(
  'feed.read_batch',
  `WITH head AS MATERIALIZED (${HEAD} AND (:epoch::uuid IS NULL OR e.id = :epoch)),
   page AS MATERIALIZED (
     SELECT c.*, r.request_id, r.pinned_notes, a.service_account_number, a.open_statement_from, a.open_statement_to, a.account_bytes,
            c.type NOT IN ('supplier.status_changed', 'account.erased') AND (
              a.service_account_number IS NULL OR (c.type IN (${added}) AND (r.id IS NULL OR r.undone_at IS NOT NULL))
            ) AS is_removed,
            sum(${EXPECTED_BYTES}) OVER (ORDER BY c.sequence) AS expected, row_number() OVER (ORDER BY c.sequence) AS position
       FROM (SELECT c.sequence, c.type, c.at, c.external_account_number, c.import_request_id, c.status
               FROM {feed_change c}, head
              WHERE c.import_supplier_id = :import_supplier_id AND c.sequence > :after::bigint
              ORDER BY c.sequence
              LIMIT :limit) AS c
       LEFT JOIN LATERAL (
         SELECT r.id, r.kind, r.request_id, r.pinned_notes, r.stored, r.bytes, r.undone_at
           FROM {import_request r}
          WHERE r.import_supplier_id = :import_supplier_id AND r.external_account_number = c.external_account_number
            AND r.id = c.import_request_id
          LIMIT 1) AS r ON true
       LEFT JOIN LATERAL (
         SELECT a.service_account_number, a.open_statement_from, a.open_statement_to,
                CASE WHEN c.type = 'account.imported' THEN 8 * pg_column_size(a.account) END AS account_bytes
           FROM {account_import a}
          WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = c.external_account_number
            AND a.status = 'imported'
          LIMIT 1) AS a ON true
   ),
   batch AS MATERIALIZED (
     SELECT page.*, (
              SELECT a.account::text
                FROM {account_import a}
               WHERE page.account_bytes IS NOT NULL AND a.import_supplier_id = :import_supplier_id
                 AND a.external_account_number = page.external_account_number AND a.status = 'imported'
               LIMIT 1) AS account
       FROM page
      WHERE page.position = 1 OR page.expected <= ${PAGE_BYTES_MAX}
   ),
   items AS MATERIALIZED (${ITEM_NAMES.map(itemsOf).join('\n      UNION ALL')}
   ),
   pinned AS MATERIALIZED (${pinnedNotes()}
   ),
   whole AS (
     SELECT b.*, items.items, pinned.note AS pinned_note,
            sum(coalesce(octet_length(items.items), 0) + coalesce(octet_length(b.account), 0)) OVER (ORDER BY b.sequence) AS bytes
       FROM batch b
       LEFT JOIN items ON items.import_request_id = b.import_request_id AND b.type IN (${added})
       LEFT JOIN pinned ON pinned.import_request_id = b.import_request_id AND b.type IN (${added})
   )
   SELECT head.last_sequence::float8 AS "lastSequence", head.epoch, b.sequence::float8 AS sequence, b.type, b.at, b.is_removed,
          b.external_account_number, b.service_account_number, b.import_request_id, b.request_id, b.status,
          b.open_statement_from::text, b.open_statement_to::text, b.account, b.items, b.pinned_note,
          CASE WHEN b.is_removed AND b.type IN (${added}) THEN (
            SELECT u.sequence::float8
              FROM {feed_change u}
             WHERE u.import_supplier_id = :import_supplier_id AND u.import_request_id = b.import_request_id
               AND u.type = 'import.undone'
             LIMIT 1
          ) END AS removed_by
     FROM head
     LEFT JOIN whole b ON b.position = 1 OR b.bytes <= ${PAGE_BYTES_MAX}
    ORDER BY b.sequence`,
);

export const FIND_EPOCHS = query<{ number: number; continuesAfter: number; id: string }>(
  'feed.find_epochs',
  `SELECT e.number, e.continues_after::float8 AS "continuesAfter", e.id
     FROM {feed_epoch e}
    WHERE e.import_supplier_id = :import_supplier_id
    ORDER BY e.number`,
);

/**
 * Searches all suppliers, because only the id of the epoch is known. It tells a cursor of another supplier from a cursor of
 * an epoch that is no longer known.
 */
export const IS_EPOCH = query<{ is_known: boolean }>(
  'feed.is_epoch',
  `SELECT EXISTS (SELECT 1 FROM feed_epoch e WHERE e.id = :epoch) AS is_known`,
);
