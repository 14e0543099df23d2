import { Injectable } from '@nestjs/common';
import { query, run, type Query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { accessValues, accountAccess } from '../imports/account-access.js';
import { importRecord } from '../imports/import-record.js';
import { Columns, itemValues, sentItems } from '../imports/item-columns.js';
import { pinNote } from '../notes/pinned-note.js';
import { TRANSACTION_COLUMNS } from './transaction.columns.js';
import type { TransactionsRequest, TransactionsRow } from './transactions.types.js';

/** Ids that the pinned note names, in the order of the payload; the rest is a count (choice X7). */
const NAMED_IDS_MAX = 50;

/**
 * A number for the rows of a request that are added without looking, which makes their keys differ from those that the account
 * has. It is random, so that it needs no sequence, which only one node of a distributed database would have; should an account
 * have it already, the query fails, and draws another one when it is tried again.
 */
function drawOccurrence(): number {
  return 1 + Math.floor(Math.random() * (Number.MAX_SAFE_INTEGER - 1));
}

const REQUEST_COLUMNS = new Columns<TransactionsRequest>('request', {
  today: { type: 'date', read: ({ today }) => today },
  now: { type: 'timestamptz', read: ({ now }) => now.toISOString() },
  is_checked: { type: 'boolean', read: ({ rules }) => rules.checkPreviouslyAdded },
  is_forced: { type: 'boolean', read: ({ rules }) => rules.forceIntoOpenPeriod },
  occurrence: { type: 'bigint', read: ({ rules }) => (rules.checkPreviouslyAdded ? 0 : drawOccurrence()) },
});

/** Of a transaction whose date may be moved: the day and the note that were sent where it is, and its columns. */
const MOVED_COLUMNS = `nullif(judged.transaction_date, judged.booked_date),
           CASE WHEN judged.booked_date <> judged.transaction_date THEN judged.note END,
           ${TRANSACTION_COLUMNS.selectFrom('judged', {
             transaction_date: 'judged.booked_date',
             note: `CASE WHEN judged.booked_date = judged.transaction_date THEN judged.note
                ELSE concat_ws(' ', nullif(judged.note, ''), format(
                  'The transaction date was changed from %s to %s, which lies in the open statement period.',
                  judged.transaction_date, judged.booked_date)) END`,
           })}`;

const MOVED_RETURNED = `, transaction.transaction_date, transaction.sent_date,
              CASE WHEN transaction.sent_date IS NOT NULL THEN transaction.note END AS note`;

/** The transactions of each request that were moved. */
const MOVED_OF_REQUEST = `
      LEFT JOIN (
        SELECT added.import_request_id, array_agg(added.transaction_id ORDER BY judged.position) AS ids,
               json_agg(json_build_object('id', added.transaction_id, 'to', added.transaction_date, 'note', added.note))
                 AS rows
          FROM added
          JOIN judged USING (import_request_id, transaction_id)
         WHERE added.sent_date IS NOT NULL
         GROUP BY added.import_request_id
      ) AS moved USING (import_request_id)`;

/** The note that lists them. */
const MOVED_NOTE = pinNote(
  'explained',
  'outcome',
  `CASE WHEN o.moved_ids IS NOT NULL THEN format(
              '%s of the imported transactions lay outside the open statement period from %s to %s; the date was changed: %s%s. Import request %s.',
              cardinality(o.moved_ids), o.first_day, o.last_day,
              array_to_string(o.moved_ids[:${NAMED_IDS_MAX}], ', '),
              CASE WHEN cardinality(o.moved_ids) > ${NAMED_IDS_MAX}
                   THEN format(' and %s more', cardinality(o.moved_ids) - ${NAMED_IDS_MAX}) END,
              o.import_request_id) END`,
  `date_trunc('second', o.now)`,
);

/** The open statement period of each account, and whether its transactions must be looked up one by one. */
const PERIOD = `account.open_statement_from AS first_day,
           greatest(account.open_statement_from, coalesce(account.open_statement_to, request.today)) AS last_day,
           request.is_checked AND (NOT request.is_forced OR (
             SELECT 1
               FROM {transaction other}
              WHERE other.import_supplier_id = :import_supplier_id
                AND other.external_account_number = account.external_account_number
                AND other.occurrence <> 0
              LIMIT 1
           ) IS NOT NULL) AS must_look`;

/**
 * Each transaction beside the open statement period of its account, and those outside of it that the account does not have. What
 * that depends on is in the first columns, because a column is found by passing those before it.
 */
const JUDGED = `judged AS MATERIALIZED (
    SELECT access.request_number, sent.transaction_date,
           least(greatest(sent.transaction_date, access.first_day), access.last_day) AS booked_date,
           access.must_look AND (
             SELECT 1
               FROM {transaction known}
              WHERE known.import_supplier_id = :import_supplier_id
                AND known.external_account_number = access.external_account_number
                AND known.transaction_id = sent.transaction_id
              LIMIT 1
           ) IS NOT NULL AS is_known,
           access.is_forced, access.occurrence, access.import_request_id, sent.position, access.external_account_number,
           ${TRANSACTION_COLUMNS.listOf('sent', ['transaction_date'])}
      FROM ${sentItems(TRANSACTION_COLUMNS)}
      JOIN access ON access.request_number = sent.request_number AND access.is_open
  ),
  outside AS MATERIALIZED (
    SELECT judged.request_number, judged.is_forced, judged.position
      FROM judged
     WHERE NOT judged.is_known AND judged.booked_date <> judged.transaction_date
  )`;

/**
 * Book the transactions of one or several requests: compare them with the open statement period of their account, add all
 * or none of those of a request that the account does not have, and pin a note that lists the moved ones.
 *
 * Which ones the account has is decided by the primary key. They are looked up beforehand only where it cannot decide:
 * when a new one may keep the whole request from being booked, and on an account with transactions that were added without
 * looking, which have other keys. One that is added without looking has a key that no other row has; would it be missing
 * nevertheless, the query fails with a serialization failure and is tried again.
 *
 * Rows are inserted in the order of their keys, whatever the order of the payload, so that two requests with the same
 * transactions cannot deadlock.
 *
 * The period ends today when it has no end, and never before its first day.
 *
 * There are two queries. The one without the parts that move a date leaves a request to the other when one of its transactions
 * has to be moved: these parts take a sixth of the time of a small request, although most have nothing to move.
 */
function bookQuery(name: string, moves: boolean): Query<TransactionsRow> {
  const refused = `(ARRAY(SELECT outside.request_number FROM outside${moves ? ' WHERE NOT outside.is_forced' : ''}))`;
  return query<TransactionsRow>(
    name,
    `WITH ${accountAccess(PERIOD, REQUEST_COLUMNS)},
  ${JUDGED},
  added AS (
    INSERT INTO {transaction} (import_supplier_id, external_account_number, import_request_id, occurrence${moves ? ', sent_date, sent_note' : ''},
                             ${TRANSACTION_COLUMNS.list})
    SELECT :import_supplier_id, judged.external_account_number, judged.import_request_id, judged.occurrence, ${moves ? MOVED_COLUMNS : TRANSACTION_COLUMNS.listOf('judged')}
      FROM judged
     WHERE NOT judged.is_known AND judged.request_number <> ALL ${refused}
     ORDER BY judged.request_number, judged.transaction_id COLLATE "C"
        ON CONFLICT DO NOTHING
    RETURNING transaction.import_request_id, transaction.amount, transaction.transaction_id${moves ? MOVED_RETURNED : ''}
  ),
  outcome AS MATERIALIZED (
    SELECT access.*, stored.stored, stored.amount${moves ? ', moved.ids AS moved_ids, moved.rows AS moved' : ''}
      FROM access
      LEFT JOIN (
        SELECT import_request_id, count(*)::integer AS stored, sum(amount) AS amount
          FROM added
         GROUP BY import_request_id
      ) AS stored USING (import_request_id)${moves ? MOVED_OF_REQUEST : ''}
  ),${moves ? `${MOVED_NOTE},` : ''}
  ${importRecord('transactions', 'outcome', {
    amount: 'o.amount',
    pinnedNotes: moves ? '(o.moved_ids IS NOT NULL)::integer' : '0',
  })}
  SELECT o.supplier_status, o.is_open, o.first_day, o.last_day, o.stored,
         CASE WHEN o.stored < o.item_count
              THEN (SELECT array_agg(added.transaction_id)
                      FROM added
                     WHERE added.import_request_id = o.import_request_id) END AS stored_ids,
         ${moves ? 'o.moved' : 'NULL::json AS moved'}, ${moves} AS moves,
         o.is_forced AND o.request_number = ANY (ARRAY(SELECT outside.request_number FROM outside)) AS has_outside,
         CASE WHEN NOT o.is_forced
              THEN (SELECT array_agg((outside.position - o.first_position)::integer ORDER BY outside.position)
                      FROM outside
                     WHERE outside.request_number = o.request_number) END AS outside,
         CASE WHEN o.is_open AND NOT o.is_checked AND coalesce(o.stored, 0) < o.item_count
                   AND o.request_number <> ALL ${refused}
              THEN raise_serialization_failure() END AS is_lost
    FROM outcome o
   WHERE {held}
   ORDER BY o.request_number`,
  );
}

const BOOK = bookQuery('transactions.book', false);
const BOOK_MOVING = bookQuery('transactions.book_moving', true);

@Injectable()
export class TransactionsRepository {
  /**
   * Store the transactions of each request that its account does not have, where the account is open and the period allows
   * it.
   *
   * @param requests for different accounts
   * @returns one row for each request, in their order
   */
  book(
    tx: Tx,
    importSupplierId: number,
    requests: readonly TransactionsRequest[],
  ): Promise<TransactionsRow[]> {
    const moves = requests.some(({ mayMove }) => mayMove);
    return run(
      tx,
      moves ? BOOK_MOVING : BOOK,
      accessValues(
        importSupplierId,
        requests,
        REQUEST_COLUMNS.values(requests),
        itemValues(TRANSACTION_COLUMNS, requests),
      ),
    );
  }
}
