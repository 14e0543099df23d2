import { query, type Query } from '../../../infrastructure/database/query.js';
import { columnType, type ItemField, type ItemKind } from '../../../ingest/kinds/item-kind.js';
import type { CursorType } from '../common/cursor.js';
import { isOfAccount } from './account-key.js';

/** SQL for columns, by their names. */
export type Columns = Readonly<Record<string, string>>;

/** SQL for a field of a row `item` as a page shows it: exact, and for a list of objects its length. */
function shownField(name: string, { type }: ItemField): string {
  if (type === 'date' || type === 'numeric') return `item.${name}::text`;
  return type === 'json' ? `coalesce(json_array_length(item.${name}), 0)` : `item.${name}`;
}

/** SQL for the fields of a row `item`, and for other columns, which may replace a field. */
export function shownColumns(kind: ItemKind, others: Columns = {}): string {
  const fields = Object.entries(kind.fields).map(([name, field]) => [name, shownField(name, field)]);
  const columns = { ...(Object.fromEntries(fields) as Columns), ...others };
  return Object.entries(columns)
    .map(([name, sql]) => `${sql} AS "${name}"`)
    .join(', ');
}

/** A row with the values that its list is ordered by, as strings. */
export type WithCursor<Row> = Row & { readonly cursor: readonly string[] };

/** A list of items on an account's page, newest first. */
export interface ItemList<Row> {
  readonly query: Query<WithCursor<Row>>;
  /** Types of the values that it is ordered by. */
  readonly cursorTypes: readonly CursorType[];
}

interface ItemListOptions {
  /** The columns that it is ordered by. Together they are unique among an account's rows. */
  readonly order: readonly string[];
  /** Additional columns, and what is read in place of a whole field. */
  readonly columns: Columns;
  /** SQL for the conditions of the filter on a row `item`. */
  readonly conditions?: readonly string[];
}

/**
 * Define a list. It is sorted when it is read, because an account has some thousands of rows and indexes in the order of
 * the pages would slow down the imports. Computed columns are only computed for the rows of the page.
 */
export function itemList<Row>(
  name: string,
  kind: ItemKind,
  { order, columns: others, conditions = [] }: ItemListOptions,
): ItemList<Row> {
  const columns = order.map((column) => [column, columnType(kind, column) as CursorType] as const);
  const ordered = columns.map(([column]) => `item.${column}`);
  const orderBy = `ORDER BY ${ordered.map((column) => `${column} DESC`).join(', ')}`;
  const before = columns.map(([, type], index) => cursorValue(`:before_${index + 1}`, type));
  const cursor = columns.map(([column, type]) => cursorText(`item.${column}`, type));
  const text = `SELECT ${shownColumns(kind, others)}, ARRAY[${cursor.join(', ')}] AS cursor
     FROM (SELECT item.*
             FROM {${kind.table} item}
            WHERE ${isOfAccount('item')}
              AND (${ordered.join(', ')}) < (${before.join(', ')})
              ${conditions.map((condition) => `AND ${condition}`).join('\n              ')}
            ${orderBy}
            LIMIT :count_max::integer) AS item
    ${orderBy}`;
  return { query: query(name, text), cursorTypes: columns.map(([, type]) => type) };
}

function cursorValue(parameter: string, type: CursorType): string {
  if (type === 'bytea') return `decode(${parameter}, 'hex')`;
  return type === 'text' ? `${parameter}::text COLLATE "C"` : `${parameter}::${type}`;
}

function cursorText(column: string, type: CursorType): string {
  return type === 'bytea' ? `encode(${column}, 'hex')` : `${column}::text`;
}
