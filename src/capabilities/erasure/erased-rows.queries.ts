import { query, type Query } from '../../infrastructure/database/query.js';
import type { ErasedCounts } from './erasure.types.js';
import { forEachItem } from '../../infrastructure/item-names/item-names.js';
import { ITEMS_WITH_DOCUMENTS, type ItemWithDocuments } from '../../ingest/documents/document-sql.js';
import { ITEMS } from '../../ingest/kinds/items.js';

/** The tables that hold an account's rows, by the name of their count in an erasure. */
const ERASED_TABLES: Readonly<Record<keyof ErasedCounts, string>> = {
  ...forEachItem((name) => ITEMS[name].table),
  import_requests: 'import_request',
  refusals: 'import_refusal',
};
export const KINDS = Object.keys(ERASED_TABLES) as (keyof ErasedCounts)[];

/** Rows per batch: a fraction of a second of work. */
const ROWS_MAX = 5_000;
/** Document locations that are read at a time; the last row may exceed this. */
const DOCUMENTS_MAX = 10_000;

/** The accounts that the erasure has closed. Only their rows may be removed. */
const CLOSED = `ANY (ARRAY(
       SELECT e.external_account_number
         FROM account_erasure e
        WHERE e.import_supplier_id = :import_supplier_id AND e.erasure_id = :erasure_id
     ))`;

/** The rows of one account that a batch has removed. */
export interface RemovedRow {
  readonly external_account_number: string;
  readonly removed: number;
  /** How many of them the totals count. An undone import request is in no total. */
  readonly counted: number;
  /** The negated sum of its transactions; null for other kinds. */
  readonly amount: string | null;
  /** The negated number of notes that its counted import requests have pinned; 0 for other kinds. */
  readonly pinned_notes: number;
}

/** Additional columns of a removed row that {@link counted} and {@link EMPTY_CHANGES} need. */
const FURTHER: { readonly [Kind in keyof ErasedCounts]?: readonly string[] } = {
  transactions: ['amount'],
  import_requests: ['id', 'stored_at', 'undone_at', 'pinned_notes'],
};

/** The columns of a removed row that {@link counted} needs. */
const returned = (kind: keyof ErasedCounts, table: string): string =>
  ['external_account_number', ...(FURTHER[kind] ?? [])].map((column) => `${table}.${column}`).join(', ');

/** The columns that are emptied in an erased change. */
export const EMPTIED = 'at = NULL, import_request_id = NULL, external_account_number = NULL';

/** A CTE that empties the feed's changes of removed import requests. It finds the changes by their times (decision 19). */
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

/** A CTE that adds the rows of `removed` to the counts, and the final SELECT. */
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

/** Rows can be addressed by ctid here, because nothing updates the rows of these tables. @param which condition on the rows `item` */
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

/** Includes refusals for numbers that are not accounts of the supplier. */
export const REMOVE_REFUSALS = removal('accounts.erase_refusals_of_supplier', 'refusals', '');

/** A row that may name documents: its key as text values, and the locations of its documents. */
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

/** Batches are large for rows that name few documents, and small for others. */
const listing = (table: string, key: string, locations: string): string => `
   SELECT listed.key, listed.locations
     FROM (SELECT item.*, sum(cardinality(item.locations)) OVER (ROWS UNBOUNDED PRECEDING) AS total
             FROM (SELECT ${key} AS key, ${locations} AS locations
                     FROM ${table} item
                    WHERE item.import_supplier_id = :import_supplier_id AND item.external_account_number = ${CLOSED}
                    LIMIT ${ROWS_MAX}) AS item) AS listed
    WHERE listed.total - cardinality(listed.locations) < ${DOCUMENTS_MAX}`;

/** The queries that list the rows of a kind that may name documents, and then remove them by their keys. */
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
