import { query } from '../infrastructure/database/query.js';
import { accountAccess } from '../ingest/account-access.js';
import { insertNewItems, type StoredKind } from '../ingest/express-query.js';
import { ImportRepository } from '../ingest/import-runner.js';
import { Columns, itemColumns } from '../ingest/item-columns.js';
import { TRANSACTION } from '../ingest/kinds/transaction.item.js';
import {
  candidateTransactions,
  STORED_IDS,
  TRANSACTIONS,
  TRANSACTIONS_REQUEST,
} from './transactions.repository.js';
import type {
  MovedTransaction,
  MovedTransactionsRequest,
  MovedTransactionsRow,
} from './transactions.types.js';

/** The values of a transaction whose date may have been moved. If so, the sent date and note are stored with it. */
const MOVED_COLUMNS = new Columns<MovedTransaction>(
  'item',
  itemColumns(TRANSACTION, {
    transaction_date: ({ date, moved }: MovedTransaction) => moved?.to ?? date,
    note: ({ sent, moved }) => moved?.note ?? (sent.note as string | undefined),
    sent_date: ({ date, moved }) => moved && date,
    sent_note: ({ sent, moved }) => moved && (sent.note as string | undefined),
  }),
);

const MOVED: StoredKind<MovedTransactionsRequest> = {
  ...TRANSACTIONS,
  request: new Columns<MovedTransactionsRequest>('request', {
    ...TRANSACTIONS_REQUEST,
    import_request_id: { type: 'uuid', read: ({ importRequestId }) => importRequestId },
    found_first_day: { type: 'date', read: ({ period }) => period.first_day },
    found_last_day: { type: 'date', read: ({ period }) => period.last_day },
    moved_count: { type: 'integer', read: ({ movedCount }) => movedCount },
    note_body: { type: 'text', read: ({ noteBody }) => noteBody },
    now: { type: 'timestamptz', read: ({ now }) => now.toISOString() },
  }),
  items: MOVED_COLUMNS,
};

/**
 * Book the transactions of one or more requests whose dates the service has moved, and pin the note that it has written.
 *
 * A request is stored only if its account still has the period into which the dates were moved, and if the moved transactions
 * that are added are exactly those in the note. If another request adds one of them while the query runs, the query fails on the
 * primary key. The retry finds that transaction and stores nothing.
 */
const BOOK_MOVED = query<MovedTransactionsRow>(
  'transactions.book_moved',
  `WITH ${accountAccess(MOVED.access, MOVED.request)},
  ${candidateTransactions(MOVED_COLUMNS)},
  found AS MATERIALIZED (
    SELECT access.*, sums.new_count, sums.amount,
           (access.first_day, access.last_day) IS DISTINCT FROM (access.found_first_day, access.found_last_day)
           OR sums.is_outdated IS TRUE AS is_outdated
      FROM access
      LEFT JOIN (
        SELECT candidates.request_number, count(*) FILTER (WHERE NOT candidates.is_known) AS new_count,
               sum(candidates.amount) FILTER (WHERE NOT candidates.is_known) + 0.00 AS amount,
               bool_or(CASE WHEN candidates.is_known THEN candidates.sent_date IS NOT NULL ELSE candidates.is_outside END) AS is_outdated
          FROM candidates
         GROUP BY candidates.request_number
      ) AS sums USING (request_number)
  ),
  outcome AS MATERIALIZED (
    SELECT found.*, CASE WHEN NOT found.is_outdated THEN nullif(found.new_count, 0)::integer END AS stored FROM found
  ),
  pinned AS (
    INSERT INTO {note} (import_supplier_id, external_account_number, import_request_id, body, created_at, created_at_sent, is_pinned)
    SELECT :import_supplier_id, o.external_account_number, o.import_request_id, o.note_body, date_trunc('second', o.now), true, true
      FROM outcome o
     WHERE o.stored > 0 AND o.moved_count > 0
  ),
  ${insertNewItems(MOVED, 'NOT item.is_known', { amount: 'o.amount', pinnedNotes: '(o.moved_count > 0)::integer' })}
  SELECT o.supplier_status, o.is_open, o.stored, o.is_outdated, ${STORED_IDS}
    FROM outcome o
   WHERE {held}
   ORDER BY o.request_number`,
);

/** Stores the transactions of each request and pins its note, if the account is open and has not changed since the first query. */
export const MOVED_TRANSACTIONS_IMPORT = new ImportRepository('moved_transactions', BOOK_MOVED, MOVED);
