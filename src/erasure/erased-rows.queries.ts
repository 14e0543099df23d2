import { query, type Query } from '../database/query.js';
import type { ErasedCounts } from './erasure.types.js';
import { forEachItem, ITEMS } from '../items/items.js';

/** The tables that an account's rows are in, by what an erasure counts them as. */
const ERASED_TABLES: Readonly<Record<keyof ErasedCounts, string>> = {
  ...forEachItem((name) => ITEMS[name].table),
  import_requests: 'import_request',
  refusals: 'import_refusal',
};
export const KINDS = Object.keys(ERASED_TABLES) as (keyof ErasedCounts)[];

/** Rows of one batch: a fraction of a second of work. */
const ROWS_MAX = 5_000;
/** Locations of documents that are read at a time, those of the last note in addition. */
const DOCUMENTS_MAX = 10_000;

/** The accounts of the erasure, whose rows may be removed. */
const CLOSED = `ANY (ARRAY(
       SELECT e.external_account_number
         FROM account_erasure e
        WHERE e.import_supplier_id = :import_supplier_id AND e.erasure_id = :erasure_id
     ))`;

/** The rows of one account that a batch has removed. */
export interface RemovedRow {
  readonly external_account_number: string;
  readonly removed: number;
  /** How many of them the totals count: import requests that are undone are in none. */
  readonly counted: number;
  /** The negative sum of its transactions; null of other rows. */
  readonly amount: string | null;
}

/** The further column of a removed row that {@link counted} needs. */
const COUNTED_BY: { readonly [Kind in keyof ErasedCounts]?: string } = {
  transactions: 'amount',
  import_requests: 'undone_at',
};

/** What a removal returns of a row for {@link counted}. */
const returned = (kind: keyof ErasedCounts, table: string): string =>
  ['external_account_number', COUNTED_BY[kind] ?? []]
    .flat()
    .map((column) => `${table}.${column}`)
    .join(', ');

/** The query part that adds the rows of `removed` to the counts, and the result. */
const counted = (kind: keyof ErasedCounts): string => `
   counted AS (
     UPDATE erasure
        SET ${kind} = ${kind} + (SELECT count(*) FROM removed)
      WHERE import_supplier_id = :import_supplier_id AND id = :erasure_id AND EXISTS (SELECT FROM removed)
   )
   SELECT removed.external_account_number, count(*)::integer AS removed,
          (count(*)${kind === 'import_requests' ? ' FILTER (WHERE removed.undone_at IS NULL)' : ''})::integer AS counted,
          ${kind === 'transactions' ? '(-sum(removed.amount))::text' : 'NULL'} AS amount
     FROM removed
    GROUP BY removed.external_account_number`;

/** The addresses of rows are exact here: nothing updates the rows of these tables. */
const removal = (kind: keyof ErasedCounts): Query<RemovedRow> =>
  query<RemovedRow>(
    `accounts.erase_${kind}`,
    `WITH removed AS (
     DELETE FROM ${ERASED_TABLES[kind]}
      WHERE import_supplier_id = :import_supplier_id
        AND external_account_number = ${CLOSED}
        AND ctid = ANY (ARRAY(
              SELECT item.ctid
                FROM ${ERASED_TABLES[kind]} item
               WHERE item.import_supplier_id = :import_supplier_id AND item.external_account_number = ${CLOSED}
               LIMIT ${ROWS_MAX}
            ))
     RETURNING ${returned(kind, ERASED_TABLES[kind])}
   ),${counted(kind)}`,
  );

export const REMOVALS = {
  transactions: removal('transactions'),
  payment_instructions: removal('payment_instructions'),
  import_requests: removal('import_requests'),
  refusals: removal('refusals'),
};

/** Also refusals of numbers that are no account of the supplier. */
export const REMOVE_REFUSALS = query<RemovedRow>(
  'accounts.erase_refusals_of_supplier',
  `WITH removed AS (
     DELETE FROM import_refusal
      WHERE import_supplier_id = :import_supplier_id
        AND ctid = ANY (ARRAY(
              SELECT refusal.ctid
                FROM import_refusal refusal
               WHERE refusal.import_supplier_id = :import_supplier_id
               LIMIT ${ROWS_MAX}
                 FOR UPDATE
            ))
     RETURNING ${returned('refusals', 'import_refusal')}
   ),${counted('refusals')}`,
);

/** A row that may name documents: its key as texts, and where the documents are. */
export interface ListedRow {
  readonly key: readonly string[];
  readonly locations: readonly string[];
}

/** Rows that name few documents come in large batches, others in small ones. */
const listing = (table: string, key: string, locations: string): string => `
   SELECT listed.key, listed.locations
     FROM (SELECT item.*, sum(cardinality(item.locations)) OVER (ROWS UNBOUNDED PRECEDING) AS total
             FROM (SELECT ${key} AS key, ${locations} AS locations
                     FROM ${table} item
                    WHERE item.import_supplier_id = :import_supplier_id AND item.external_account_number = ${CLOSED}
                    LIMIT ${ROWS_MAX}) AS item) AS listed
    WHERE listed.total - cardinality(listed.locations) < ${DOCUMENTS_MAX}`;

const LIST_NOTES = query<ListedRow>(
  'accounts.list_notes_to_erase',
  listing(
    'note',
    `ARRAY[item.external_account_number, encode(item.content_hash, 'hex'), item.created_at::text]`,
    'item.document_locations',
  ),
);

const REMOVE_NOTES = query<RemovedRow>(
  'accounts.erase_notes',
  `WITH removed AS (
     DELETE FROM note
      USING unnest(:key_1::text[], :key_2::text[], :key_3::timestamptz[]) AS listed (account_number, content_hash, created_at)
      WHERE note.import_supplier_id = :import_supplier_id
        AND note.external_account_number = listed.account_number
        AND note.content_hash = decode(listed.content_hash, 'hex')
        AND note.created_at = listed.created_at
        AND listed.account_number = ${CLOSED}
     RETURNING ${returned('notes', 'note')}
   ),${counted('notes')}`,
);

const LIST_STATEMENTS = query<ListedRow>(
  'accounts.list_statements_to_erase',
  listing(
    'statement',
    'ARRAY[item.external_account_number, item.statement_id]',
    'array_remove(ARRAY[item.document_location], NULL)',
  ),
);

const REMOVE_STATEMENTS = query<RemovedRow>(
  'accounts.erase_statements',
  `WITH removed AS (
     DELETE FROM statement
      USING unnest(:key_1::text[], :key_2::text[]) AS listed (account_number, statement_id)
      WHERE statement.import_supplier_id = :import_supplier_id
        AND statement.external_account_number = listed.account_number
        AND statement.statement_id = listed.statement_id
        AND listed.account_number = ${CLOSED}
     RETURNING ${returned('statements', 'statement')}
   ),${counted('statements')}`,
);

export const LISTINGS = {
  notes: { list: LIST_NOTES, remove: REMOVE_NOTES },
  statements: { list: LIST_STATEMENTS, remove: REMOVE_STATEMENTS },
};

/** The kinds whose rows name documents, and the others. */
export const KINDS_WITH_DOCUMENTS = Object.keys(LISTINGS) as (keyof typeof LISTINGS)[];
export const KINDS_WITHOUT_DOCUMENTS = Object.keys(REMOVALS) as (keyof typeof REMOVALS)[];
