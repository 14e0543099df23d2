import { query } from '../database/query.js';
import { accountAccess } from '../imports/account-access.js';
import { importRecord } from '../imports/import-record.js';
import { ImportRepository } from '../imports/import-runner.js';
import { Columns, sentItems, type ColumnsOf } from '../imports/item-columns.js';
import { TRANSACTION_COLUMNS } from './transaction.columns.js';
import type { NewTransaction, TransactionsRequest, TransactionsRow } from './transactions.types.js';

/**
 * A number for the rows of a request that are added without looking, which makes their keys differ from those that the account
 * has. It is random, so that it needs no sequence, which only one node of a distributed database would have; should an account
 * have it already, the query fails, and draws another one when it is tried again.
 */
function drawOccurrence(): number {
  return 1 + Math.floor(Math.random() * (Number.MAX_SAFE_INTEGER - 1));
}

/** The columns of a request with transactions. */
export const TRANSACTIONS_REQUEST = {
  today: { type: 'date', read: ({ today }) => today },
  is_checked: { type: 'boolean', read: ({ checkPreviouslyAdded }) => checkPreviouslyAdded },
  occurrence: {
    type: 'bigint',
    read: ({ checkPreviouslyAdded }) => (checkPreviouslyAdded ? 0 : drawOccurrence()),
  },
} satisfies ColumnsOf<TransactionsRequest>;

/**
 * The open statement period of each account, and whether it has transactions that were added without looking: their keys are
 * others, so a transaction has to be looked up by its id alone. The period ends today when it has no end, and never before its
 * first day.
 */
export const PERIOD = `account.open_statement_from AS first_day,
           greatest(account.open_statement_from, coalesce(account.open_statement_to, request.today)) AS last_day,
           request.is_checked AND (
             SELECT 1
               FROM {transaction other}
              WHERE other.import_supplier_id = :import_supplier_id
                AND other.external_account_number = account.external_account_number
                AND other.occurrence <> 0
              LIMIT 1
           ) IS NOT NULL AS must_look`;

/** SQL for whether the account of a row `access` has a transaction with this id. */
function isKnown(transactionId: string, account = 'access.external_account_number'): string {
  return `(
             SELECT 1
               FROM {transaction known}
              WHERE known.import_supplier_id = :import_supplier_id
                AND known.external_account_number = ${account}
                AND known.transaction_id = ${transactionId}
              LIMIT 1
           ) IS NOT NULL`;
}

/**
 * Each transaction beside the open statement period of its account. What it depends on is in the first columns, because a column is
 * found by passing those before it.
 *
 * @param mustLook SQL for whether it is looked up whether the account has it
 */
export function judgedTransactions<Item extends NewTransaction>(
  columns: Columns<Item>,
  mustLook = 'access.must_look',
): string {
  return `judged AS MATERIALIZED (
    SELECT access.request_number, sent.transaction_date,
           sent.transaction_date NOT BETWEEN access.first_day AND access.last_day AS is_outside,
           ${mustLook} AND ${isKnown('sent.transaction_id')} AS is_known,
           access.is_checked, access.occurrence, access.import_request_id, sent.position, access.external_account_number,
           ${columns.listOf('sent', ['transaction_date'])}
      FROM ${sentItems(columns)}
      JOIN access ON access.request_number = sent.request_number AND access.is_open
  )`;
}

const REQUEST_COLUMNS = new Columns<TransactionsRequest>('request', TRANSACTIONS_REQUEST);

/** The requests with a transaction outside the open statement period: nothing of them is stored. */
const LEFT = `(ARRAY(SELECT outside.request_number FROM outside))`;

/**
 * Book the transactions of one or several requests: add those of a request that the account does not have. A request with a date
 * outside the open statement period is left to the service, with what it needs to move the dates or to refuse the request.
 *
 * Which transactions the account has is decided by the primary key. They are looked up beforehand only where it cannot decide, on
 * an account with transactions that were added without looking. One that is added without looking has a key that no other row has;
 * would it be missing nevertheless, the query fails with a serialization failure and is tried again.
 *
 * Rows are inserted in the order of their keys, whatever the order of the payload, so that two requests with the same
 * transactions cannot deadlock.
 */
const BOOK = query<TransactionsRow>(
  'transactions.book',
  `WITH ${accountAccess(PERIOD, REQUEST_COLUMNS)},
  ${judgedTransactions(TRANSACTION_COLUMNS)},
  outside AS MATERIALIZED (
    SELECT judged.request_number, judged.position,
           judged.is_known OR judged.is_checked AND ${isKnown('judged.transaction_id', 'judged.external_account_number')} AS is_known
      FROM judged
     WHERE judged.is_outside
  ),
  added AS (
    INSERT INTO {transaction} (import_supplier_id, external_account_number, import_request_id, occurrence,
                             ${TRANSACTION_COLUMNS.list})
    SELECT :import_supplier_id, judged.external_account_number, judged.import_request_id, judged.occurrence,
           ${TRANSACTION_COLUMNS.listOf('judged')}
      FROM judged
     WHERE NOT judged.is_known AND judged.request_number <> ALL ${LEFT}
     ORDER BY judged.request_number, judged.transaction_id COLLATE "C"
        ON CONFLICT DO NOTHING
    RETURNING transaction.import_request_id, transaction.amount, transaction.transaction_id
  ),
  outcome AS MATERIALIZED (
    SELECT access.*, stored.stored, stored.amount
      FROM access
      LEFT JOIN (
        SELECT import_request_id, count(*)::integer AS stored, sum(amount) AS amount
          FROM added
         GROUP BY import_request_id
      ) AS stored USING (import_request_id)
  ),
  ${importRecord('transactions', 'outcome', { amount: 'o.amount', pinnedNotes: '0' })}
  SELECT o.supplier_status, o.is_open, o.stored,
         CASE WHEN o.stored < o.item_count
              THEN (SELECT array_agg(added.transaction_id)
                      FROM added
                     WHERE added.import_request_id = o.import_request_id) END AS stored_ids,
         (SELECT json_build_object(
                   'first_day', o.first_day, 'last_day', o.last_day, 'import_request_id', o.import_request_id,
                   'new', coalesce(json_agg(outside.position - o.first_position ORDER BY outside.position)
                                     FILTER (WHERE NOT outside.is_known), '[]'),
                   'known', coalesce(json_agg(outside.position - o.first_position) FILTER (WHERE outside.is_known), '[]'))
            FROM outside
           WHERE outside.request_number = o.request_number
          HAVING count(*) > 0) AS outside,
         CASE WHEN o.is_open AND NOT o.is_checked AND coalesce(o.stored, 0) < o.item_count AND o.request_number <> ALL ${LEFT}
              THEN raise_serialization_failure() END AS is_lost
    FROM outcome o
   WHERE {held}
   ORDER BY o.request_number`,
);

/**
 * Stores the transactions of each request that its account does not have, where the account is open and no date lies outside the
 * open statement period.
 */
export const TRANSACTIONS_IMPORT = new ImportRepository(
  'transactions',
  BOOK,
  TRANSACTION_COLUMNS,
  REQUEST_COLUMNS,
);
