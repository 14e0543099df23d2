import { query, type Query } from '../infrastructure/database/query.js';
import type { ImportKind } from '../infrastructure/item-names/item-names.js';
import { itemOf } from './kinds/items.js';
import { accountAccess, type AccountAccess } from './account-access.js';
import { importRecord, type Besides } from './import-record.js';
import type { ImportRequest } from './import-request.js';
import { sentItems, type Columns, type ColumnsOf } from './item-columns.js';

/** How items of a kind are stored: the SQL that its queries share, over an `item` and its request's row `access`. */
export interface StoredKind<Request extends ImportRequest> {
  readonly kind: ImportKind;
  /** The select list for {@link accountAccess}: the columns needed from the supplier, the account and the request. */
  readonly access: string;
  readonly request: Columns<Request>;
  readonly items: Columns<Request['items'][number]>;
  /** Stored columns that are not sent with the item, or whose stored value differs from the sent one. */
  readonly stored: Readonly<Record<string, string>>;
  /** The key order. Two queries that insert the same rows in this order wait for each other and cannot deadlock. */
  readonly order: string;
}

/** Defines the ordinary request of a kind, and its outcome. */
interface Ordinary<Request, Row> {
  /** Whether a request whose account is open is ordinary. */
  readonly condition: string;
  /** Columns that the condition and the record need in addition to the request's. */
  readonly columns?: ColumnsOf<Request>;
  readonly besides?: Besides;
  /** The row that the careful query returns for a request when it has stored every item. */
  readonly answer: (request: Request) => Omit<Row, keyof AccountAccess>;
}

/** A query that stores all of its requests if every one is ordinary, and otherwise stores nothing. */
export interface Express<Request, Row> extends Pick<Ordinary<Request, Row>, 'answer'> {
  readonly sql: Query<AccountAccess & { readonly is_ordinary: boolean }>;
  readonly columns: Columns<Request>;
}

/**
 * The insert of items, as a common table expression that nothing reads. PostgreSQL executes such expressions from last to first, so
 * the rows are inserted before the record when this expression comes last.
 *
 * @param from SQL for rows `item` and `access`
 */
function insertItems<Request extends ImportRequest>(
  { kind, items, stored, order }: StoredKind<Request>,
  from: string,
): string {
  const unsent = Object.keys(stored).filter((name) => !items.has(name));
  return `added AS (
    INSERT INTO {${itemOf(kind).table}} (import_supplier_id, external_account_number, import_request_id, ${[...unsent, items.list].join(', ')})
    SELECT :import_supplier_id, access.external_account_number, access.import_request_id,
           ${[...unsent.map((name) => stored[name] ?? ''), items.selectFrom('item', stored)].join(', ')}
      FROM ${from}
     ORDER BY access.request_number, ${order}
  )`;
}

/**
 * The end of a careful query: it records the requests and inserts the new rows of the common table expression `candidates`. Both
 * apply only to requests whose count `stored` in `outcome` is above zero.
 *
 * @param isNew SQL for whether an `item` of `candidates` is new
 */
export function insertNewItems<Request extends ImportRequest>(
  kind: StoredKind<Request>,
  isNew: string,
  besides?: Besides,
): string {
  const from = `candidates AS item JOIN outcome AS access ON access.request_number = item.request_number
     WHERE access.stored > 0 AND ${isNew}`;
  return `${importRecord(kind.kind, 'outcome', besides)},
  ${insertItems(kind, from)}`;
}

/**
 * The express query of a kind. It does not look for existing rows. If a request is not ordinary, it stores nothing; if a row exists,
 * it fails on the unique index. A request whose account is not open is ignored in both cases.
 *
 * Source: decision 26 (docs/decisions/).
 */
export function expressQuery<Request extends ImportRequest, Row>(
  name: string,
  kind: StoredKind<Request>,
  { condition, columns: own, besides, answer }: Ordinary<Request, Row>,
): Express<Request, Row> {
  const columns = kind.request.with({
    ...own,
    row_count: { type: 'integer', read: ({ items }) => items.length },
  });
  const items = `${sentItems(kind.items)} JOIN access ON access.request_number = item.request_number AND access.is_open`;
  const isOrdinary = '(SELECT verdict.is_ordinary FROM verdict)';
  const sql: Express<Request, Row>['sql'] = query(
    name,
    `WITH ${accountAccess(kind.access, columns)},
  verdict AS MATERIALIZED (
    SELECT coalesce(every((${condition}) IS TRUE) FILTER (WHERE access.is_open), true) AS is_ordinary
      FROM access
  ),
  outcome AS MATERIALIZED (
    SELECT access.*, access.row_count AS stored FROM access WHERE access.is_open AND ${isOrdinary}
  ),
  ${importRecord(kind.kind, 'outcome', besides)},
  ${insertItems(kind, `${items} WHERE ${isOrdinary}`)}
  SELECT access.supplier_status, access.is_open, ${isOrdinary} AS is_ordinary
    FROM access
   WHERE {held}
   ORDER BY access.request_number`,
  );
  return { sql, columns, answer };
}
