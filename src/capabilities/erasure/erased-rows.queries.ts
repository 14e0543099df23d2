import { query, type Query } from '../../infrastructure/database/query.js';
import type { ErasedCounts } from './erasure.types.js';
import { forEachItem } from '../../infrastructure/item-names/item-names.js';
import { ITEMS_WITH_DOCUMENTS, type ItemWithDocuments } from '../../ingest/documents/document-sql.js';
import { ITEMS } from '../../ingest/kinds/items.js';

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
  /** The negative number of notes that its counted import requests have pinned; 0 of other rows. */
  readonly pinned_notes: number;
}

/** The further columns of a removed row that {@link counted} and {@link EMPTY_CHANGES} need. */
const FURTHER: { readonly [Kind in keyof ErasedCounts]?: readonly string[] } = {
  transactions: ['amount'],
  import_requests: ['id', 'stored_at', 'undone_at', 'pinned_notes'],
};

/** What a removal returns of a row for {@link counted}. */
const returned = (kind: keyof ErasedCounts, table: string): string =>
  ['external_account_number', ...(FURTHER[kind] ?? [])].map((column) => `${table}.${column}`).join(', ');

/** What an erased change loses. */
export const EMPTIED = 'at = NULL, import_request_id = NULL, external_account_number = NULL';

/** The query part that empties what the feed has of removed import requests. It finds them by their times (decision 19). */
const EMPTY_CHANGES = `
   emptied AS (
     UPDATE feed_change
        SET ${EMPTIED}
      WHERE import_supplier_id = :import_supplier_id
        AND at = ANY (ARRAY(
              SELECT removed.stored_at FROM removed
               UNION
              SELECT removed.undone_at FROM removed WHERE removed.undone_at IS NOT NULL))
        AND import_request_id = ANY (ARRAY(SELECT removed.id FROM removed))
   ),`;

/** The query part that adds the rows of `removed` to the counts, and the result. */
const counted = (kind: keyof ErasedCounts): string => `${kind === 'import_requests' ? EMPTY_CHANGES : ''}
   counted AS (
     UPDATE erasure
        SET ${kind} = ${kind} + (SELECT count(*) FROM removed)
      WHERE import_supplier_id = :import_supplier_id AND id = :erasure_id AND EXISTS (SELECT FROM removed)
   )
   SELECT removed.external_account_number, count(*)::integer AS removed,
          (count(*)${kind === 'import_requests' ? ' FILTER (WHERE removed.undone_at IS NULL)' : ''})::integer AS counted,
          ${kind === 'transactions' ? '(-sum(removed.amount))::text' : 'NULL'} AS amount,
          ${kind === 'import_requests' ? '(-coalesce(sum(removed.pinned_notes) FILTER (WHERE removed.undone_at IS NULL), 0))::integer' : '0'} AS pinned_notes
     FROM removed
    GROUP BY removed.external_account_number`;

/** The addresses of rows are exact here: nothing updates the rows of these tables. @param which condition for the rows `item` */
const removal = (name: string, kind: keyof ErasedCounts, which: string): Query<RemovedRow> =>
  query<RemovedRow>(
    name,
    `WITH removed AS (
     DELETE FROM ${ERASED_TABLES[kind]} item
      WHERE item.import_supplier_id = :import_supplier_id${which}
        AND item.ctid = ANY (ARRAY(
              SELECT item.ctid
                FROM ${ERASED_TABLES[kind]} item
               WHERE item.import_supplier_id = :import_supplier_id${which}
               LIMIT ${ROWS_MAX}
            ))
     RETURNING ${returned(kind, 'item')}
   ),${counted(kind)}`,
  );

/** Also refusals of numbers that are no account of the supplier. */
export const REMOVE_REFUSALS = removal('accounts.erase_refusals_of_supplier', 'refusals', '');

/** A row that may name documents: its key as texts, and where the documents are. */
export interface ListedRow {
  readonly key: readonly string[];
  readonly locations: readonly string[];
}

/** The queries of a kind whose rows may name documents. */
export interface ListedKind {
  readonly kind: keyof ErasedCounts;
  readonly list: Query<ListedRow>;
  readonly remove: Query<RemovedRow>;
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

/** How the rows of a kind that may name documents are listed, and then removed by their keys. */
function listed({ name, table, key, sql }: ItemWithDocuments): ListedKind {
  const columns = { external_account_number: 'text', ...key };
  const names = Object.keys(columns);
  const keys = Object.values(columns).map((type, index) => `:key_${index + 1}::${type}[]`);
  return {
    kind: name,
    list: query(
      `accounts.list_${name}_to_erase`,
      listing(table, `ARRAY[${names.map((column) => `item.${column}::text`).join(', ')}]`, sql.locations),
    ),
    remove: query(
      `accounts.erase_${name}`,
      `WITH removed AS (
     DELETE FROM ${table}
      USING unnest(${keys.join(', ')}) AS listed (${names.join(', ')})
      WHERE ${table}.import_supplier_id = :import_supplier_id
        AND ${names.map((column) => `${table}.${column} = listed.${column}`).join(' AND ')}
        AND listed.external_account_number = ${CLOSED}
     RETURNING ${returned(name, table)}
   ),${counted(name)}`,
    ),
  };
}

export const LISTED_KINDS: readonly ListedKind[] = ITEMS_WITH_DOCUMENTS.map(listed);

/** A kind whose rows are removed without being listed. */
export type UnlistedKind = Omit<ListedKind, 'list'>;

export const UNLISTED_KINDS: readonly UnlistedKind[] = KINDS.filter((kind) =>
  LISTED_KINDS.every((one) => one.kind !== kind),
).map((kind) => ({
  kind,
  remove: removal(`accounts.erase_${kind}`, kind, ` AND item.external_account_number = ${CLOSED}`),
}));
