import { query } from '../database/query.js';
import { accountAccess } from '../imports/account-access.js';
import { importRecord } from '../imports/import-record.js';
import { ImportRepository } from '../imports/import-runner.js';
import { Columns } from '../imports/item-columns.js';
import { MOVED_COLUMNS } from './transaction.columns.js';
import { judgedTransactions, PERIOD, TRANSACTIONS_REQUEST } from './transactions.repository.js';
import type { MovedTransactionsRequest, MovedTransactionsRow } from './transactions.types.js';

const REQUEST_COLUMNS = new Columns<MovedTransactionsRequest>('request', {
  ...TRANSACTIONS_REQUEST,
  import_request_id: { type: 'uuid', read: ({ importRequestId }) => importRequestId },
  found_first_day: { type: 'date', read: ({ period }) => period.first_day },
  found_last_day: { type: 'date', read: ({ period }) => period.last_day },
  moved_count: { type: 'integer', read: ({ movedCount }) => movedCount },
  note_body: { type: 'text', read: ({ noteBody }) => noteBody },
  now: { type: 'timestamptz', read: ({ now }) => now.toISOString() },
});

/** The requests whose account has another period, or has one of the moved transactions by now. */
const OUTDATED = `(ARRAY(SELECT outdated.request_number FROM outdated))`;

/**
 * Book the transactions of one or several requests whose dates the service has moved, and pin the note that it has written.
 *
 * Nothing of a request is stored unless its account has still the period into which the dates were moved, and exactly the
 * transactions that the note names are added. Would another request add one of them while the query runs, it fails with a
 * serialization failure; tried again, it finds that transaction and stores nothing.
 */
const BOOK_MOVED = query<MovedTransactionsRow>(
  'transactions.book_moved',
  `WITH ${accountAccess(PERIOD, REQUEST_COLUMNS)},
  ${judgedTransactions(MOVED_COLUMNS, '(access.must_look OR access.is_checked AND sent.sent_date IS NOT NULL)')},
  outdated AS MATERIALIZED (
    SELECT access.request_number
      FROM access
     WHERE (access.first_day, access.last_day) IS DISTINCT FROM (access.found_first_day, access.found_last_day)
     UNION ALL
    SELECT judged.request_number
      FROM judged
     WHERE CASE WHEN judged.is_known THEN judged.sent_date IS NOT NULL ELSE judged.is_outside END
  ),
  added AS (
    INSERT INTO {transaction} (import_supplier_id, external_account_number, import_request_id, occurrence, ${MOVED_COLUMNS.list})
    SELECT :import_supplier_id, judged.external_account_number, judged.import_request_id, judged.occurrence,
           ${MOVED_COLUMNS.listOf('judged')}
      FROM judged
     WHERE NOT judged.is_known AND judged.request_number <> ALL ${OUTDATED}
     ORDER BY judged.request_number, judged.transaction_id COLLATE "C"
        ON CONFLICT DO NOTHING
    RETURNING transaction.import_request_id, transaction.amount, transaction.transaction_id, transaction.sent_date
  ),
  outcome AS MATERIALIZED (
    SELECT access.*, stored.stored, stored.amount, stored.moved
      FROM access
      LEFT JOIN (
        SELECT import_request_id, count(*)::integer AS stored, sum(amount) AS amount, count(sent_date) AS moved
          FROM added
         GROUP BY import_request_id
      ) AS stored USING (import_request_id)
  ),
  pinned AS (
    INSERT INTO {note} (import_supplier_id, external_account_number, import_request_id, body, created_at, created_at_sent, is_pinned)
    SELECT :import_supplier_id, o.external_account_number, o.import_request_id, o.note_body, date_trunc('second', o.now), true, true
      FROM outcome o
     WHERE o.moved > 0
  ),
  ${importRecord('transactions', 'outcome', { amount: 'o.amount', pinnedNotes: '(o.moved > 0)::integer' })}
  SELECT o.supplier_status, o.is_open, o.stored, o.request_number = ANY ${OUTDATED} AS is_outdated,
         CASE WHEN o.stored < o.item_count
              THEN (SELECT array_agg(added.transaction_id)
                      FROM added
                     WHERE added.import_request_id = o.import_request_id) END AS stored_ids,
         CASE WHEN o.is_open AND o.request_number <> ALL ${OUTDATED}
                   AND (coalesce(o.moved, 0) < o.moved_count OR NOT o.is_checked AND coalesce(o.stored, 0) < o.item_count)
              THEN raise_serialization_failure() END AS is_lost
    FROM outcome o
   WHERE {held}
   ORDER BY o.request_number`,
);

/** Stores the transactions of each request, and pins its note, where the account is open and still as it was found. */
export const MOVED_TRANSACTIONS_IMPORT = new ImportRepository(
  'moved_transactions',
  BOOK_MOVED,
  MOVED_COLUMNS,
  REQUEST_COLUMNS,
);
