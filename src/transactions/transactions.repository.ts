import { query } from '../infrastructure/database/query.js';
import { accountAccess } from '../ingest/account-access.js';
import { expressQuery, insertNewItems, type StoredKind } from '../ingest/express-query.js';
import { ImportRepository } from '../ingest/import-runner.js';
import { Columns, itemColumns, sentItems, type ColumnsOf } from '../ingest/item-columns.js';
import { TRANSACTION } from '../ingest/kinds/transaction.item.js';
import type { NewTransaction, TransactionsRequest, TransactionsRow } from './transactions.types.js';

/** The values that a transaction sends to the database. */
const TRANSACTION_COLUMNS = new Columns<NewTransaction>('item', itemColumns(TRANSACTION));

/**
 * A number that makes the keys of rows added without a comparison differ from those the account already has. It is random, so
 * that it needs no sequence, which only one node of a distributed database would have. If an account already has the number, the
 * query fails, and the retry draws another one.
 */
function drawOccurrence(): number {
  return 1 + Math.floor(Math.random() * (Number.MAX_SAFE_INTEGER - 1));
}

/** The columns that a request with transactions sends to the database. */
export const TRANSACTIONS_REQUEST = {
  today: { type: 'date', read: ({ today }) => today },
  is_checked: { type: 'boolean', read: ({ checkPreviouslyAdded }) => checkPreviouslyAdded },
  occurrence: {
    type: 'bigint',
    read: ({ checkPreviouslyAdded }) => (checkPreviouslyAdded ? 0 : drawOccurrence()),
  },
} satisfies ColumnsOf<TransactionsRequest>;

/** The open statement period of each account. A period without an end ends today, but never before its first day. */
const PERIOD = `account.open_statement_from AS first_day,
           greatest(account.open_statement_from, coalesce(account.open_statement_to, request.today)) AS last_day`;

export const TRANSACTIONS: StoredKind<TransactionsRequest> = {
  kind: 'transactions',
  access: PERIOD,
  request: new Columns('request', TRANSACTIONS_REQUEST),
  items: TRANSACTION_COLUMNS,
  stored: { occurrence: 'access.occurrence' },
  order: 'item.transaction_id COLLATE "C"',
};

/**
 * Each transaction, with whether it is outside its account's open statement period and whether the account already has it. A
 * transaction added without a comparison has a unique key. The columns that decide its outcome come first, because PostgreSQL
 * reaches a column by passing those before it.
 */
export function candidateTransactions<Item extends NewTransaction>(columns: Columns<Item>): string {
  return `candidates AS MATERIALIZED (
    SELECT item.request_number, item.transaction_date NOT BETWEEN access.first_day AND access.last_day AS is_outside,
           access.is_checked AND (
             SELECT 1
               FROM {transaction known}
              WHERE known.import_supplier_id = :import_supplier_id
                AND known.external_account_number = access.external_account_number
                AND known.transaction_id = item.transaction_id
              LIMIT 1
           ) IS NOT NULL AS is_known,
           item.position, ${columns.listOf('item')}
      FROM ${sentItems(columns)}
      JOIN access ON access.request_number = item.request_number AND access.is_open
  )`;
}

/** SQL over a row `o` of the outcome for the ids of the stored transactions, if some but not all were stored. */
export const STORED_IDS = `CASE WHEN o.stored < o.item_count
              THEN (SELECT array_agg(candidates.transaction_id)
                      FROM candidates
                     WHERE candidates.request_number = o.request_number AND NOT candidates.is_known) END AS stored_ids`;

/**
 * Book the transactions of one or more requests: add those that the account does not have yet. A request with a date outside the
 * open statement period is left to the service, and its row has the data needed to move the dates or to refuse the request.
 *
 * If another request stores one of the transactions between the look-up and the insert, the query fails on the primary key and is
 * retried. The same happens if the account already has the drawn {@link drawOccurrence number}.
 */
const BOOK = query<TransactionsRow>(
  'transactions.book',
  `WITH ${accountAccess(PERIOD, TRANSACTIONS.request)},
  ${candidateTransactions(TRANSACTION_COLUMNS)},
  outcome AS MATERIALIZED (
    SELECT access.*, found.has_outside, CASE WHEN NOT found.has_outside THEN found.stored END AS stored, found.amount
      FROM access
      LEFT JOIN (
        SELECT candidates.request_number, bool_or(candidates.is_outside) AS has_outside,
               nullif(count(*) FILTER (WHERE NOT candidates.is_known), 0)::integer AS stored,
               sum(candidates.amount) FILTER (WHERE NOT candidates.is_known) + 0.00 AS amount
          FROM candidates
         GROUP BY candidates.request_number
      ) AS found USING (request_number)
  ),
  ${insertNewItems(TRANSACTIONS, 'NOT item.is_known', { amount: 'o.amount', pinnedNotes: '0' })}
  SELECT o.supplier_status, o.is_open, o.stored, ${STORED_IDS},
         CASE WHEN o.has_outside THEN (
           SELECT json_build_object(
                    'first_day', o.first_day, 'last_day', o.last_day, 'import_request_id', o.import_request_id,
                    'new', coalesce(json_agg(outside.position - o.first_position ORDER BY outside.position)
                                      FILTER (WHERE NOT outside.is_known), '[]'),
                    'known', coalesce(json_agg(outside.position - o.first_position) FILTER (WHERE outside.is_known), '[]'))
             FROM candidates AS outside
            WHERE outside.request_number = o.request_number AND outside.is_outside) END AS outside
    FROM outcome o
   WHERE {held}
   ORDER BY o.request_number`,
);

function earliest(day: string, { date }: NewTransaction): string {
  return date < day ? date : day;
}

function latest(day: string, { date }: NewTransaction): string {
  return date > day ? date : day;
}

/** Sums in integer cents, because a double cannot always hold the sum exactly. */
function addCents(sum: bigint, { amount }: NewTransaction): bigint {
  return sum + BigInt(Math.round(amount * 100));
}

/**
 * All dates of a request are in the period if the first and the last are. An account with transactions added without a
 * comparison is not ordinary, because it may have a transaction under a key with which the unique index does not conflict.
 */
const EXPRESS = expressQuery<TransactionsRequest, TransactionsRow>(
  'transactions.book_express',
  TRANSACTIONS,
  {
    condition: `access.first_date >= access.first_day AND access.last_date <= access.last_day
           AND NOT (access.is_checked AND (
             SELECT 1
               FROM {transaction other}
              WHERE other.import_supplier_id = :import_supplier_id
                AND other.external_account_number = access.external_account_number
                AND other.occurrence <> 0
              LIMIT 1
           ) IS NOT NULL)`,
    columns: {
      first_date: { type: 'date', read: ({ items }) => items.reduce(earliest, '9999-12-31') },
      last_date: { type: 'date', read: ({ items }) => items.reduce(latest, '0001-01-01') },
      cents: { type: 'numeric', read: ({ items }) => String(items.reduce(addCents, 0n)) },
    },
    // Has two decimals, like the sum of the amounts.
    besides: { amount: 'o.cents * 0.01', pinnedNotes: '0' },
    answer: ({ items }) => ({ stored: items.length, stored_ids: null, outside: null }),
  },
);

/**
 * Stores the transactions of each request that its account does not have yet, if the account is open and no date lies outside the
 * open statement period.
 */
export const TRANSACTIONS_IMPORT = new ImportRepository('transactions', BOOK, TRANSACTIONS, EXPRESS);
