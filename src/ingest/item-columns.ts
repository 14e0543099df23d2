import { parseDateTime } from '../infrastructure/clock/dates.js';
import { arrayLiteral, type ArrayValue } from '../infrastructure/database/array-literal.js';
import {
  columnType,
  type FieldType,
  type ItemField,
  type ItemKind,
  type SentItem,
} from './kinds/item-kind.js';
import type { ImportRequest } from './import-request.js';

/** A column of the data sent to the database. */
interface Column<Source> {
  /** SQL type of one value. */
  readonly type: string;
  readonly read: (source: Source) => ArrayValue | undefined;
}

export type ColumnsOf<Source> = Readonly<Record<string, Column<Source>>>;

/**
 * The columns of a kind of item or of a request. Each is described once, by its name, its SQL type and a function that reads it.
 * The query parameters and the parts of a query that name all columns are derived from this.
 *
 * Each column is one parameter: an array with one value per item or request of the query.
 */
export class Columns<Source> {
  private readonly names: readonly string[];
  private readonly readers: readonly (readonly [parameter: string, read: Column<Source>['read']])[];

  /** @param prefix starts the parameter names, so that an item and its request may have columns of the same name */
  constructor(
    private readonly prefix: 'item' | 'request',
    private readonly columns: ColumnsOf<Source>,
  ) {
    this.names = Object.keys(columns);
    this.readers = Object.entries(columns).map(([name, { read }]) => [`${prefix}_${name}`, read]);
  }

  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** These columns and further ones. */
  with(further: ColumnsOf<Source>): Columns<Source> {
    return new Columns(this.prefix, { ...this.columns, ...further });
  }

  /** The parameters as a select list that returns a row for each element: `unnest(:item_body::text[]) AS body, …`. */
  get unnested(): string {
    return this.names
      .map((name) => `unnest(:${this.prefix}_${name}::${this.columns[name]?.type ?? ''}[]) AS ${name}`)
      .join(', ');
  }

  /** The column names, for an alias or the column list of an insert. */
  get list(): string {
    return this.names.join(', ');
  }

  /**
   * The column names qualified with the alias of a table or common table expression.
   *
   * @param without names to leave out because the list has them elsewhere
   */
  listOf(alias: string, without: readonly string[] = []): string {
    const names = this.names.filter((name) => !without.includes(name));
    return names.map((name) => `${alias}.${name}`).join(', ');
  }

  /**
   * The columns as a select list, some of them replaced.
   *
   * @param replaced SQL for the replaced columns, by name
   */
  selectFrom(alias: string, replaced: Readonly<Record<string, string>> = {}): string {
    return this.names.map((name) => `${replaced[name] ?? `${alias}.${name}`} AS ${name}`).join(', ');
  }

  /**
   * The parameter values by name; null for a column without any value ({@link arrayLiteral}).
   */
  values(sources: readonly Source[]): Record<string, unknown> {
    const values: Record<string, unknown> = {};
    for (const [parameter, read] of this.readers) values[parameter] = arrayLiteral(sources, read);
    return values;
  }
}

/** An item with the members that its client sent. */
export interface WithSent<Kind extends ItemKind> {
  readonly sent: SentItem<Kind>;
}

/** Readers for columns that are not sent, or not stored as they were sent. */
type Readers<Kind extends ItemKind, Item> = Readonly<
  Partial<Record<keyof Kind['fields'] | keyof Kind['excludedColumns'], Column<Item>['read']>>
>;

/** The columns of a kind of item. Fields are read from the sent item unless `readers` says otherwise. Every value has passed validation. */
export function itemColumns<Kind extends ItemKind, Item extends WithSent<Kind>>(
  kind: Kind,
  readers?: Readers<Kind, Item>,
): ColumnsOf<Item> {
  const sent = Object.entries<ItemField>(kind.fields).map(([name, field]) => [name, readSent(name, field)]);
  const all = { ...Object.fromEntries(sent), ...readers } as Record<string, Column<Item>['read']>;
  return Object.fromEntries(
    Object.entries(all).map(([name, read]) => {
      const type = columnType(kind, name);
      // One text per item, joined with line feeds, which a path cannot contain: unnest would flatten an array of arrays.
      return [name, { type: type === 'paths' ? 'text' : type, read }];
    }),
  );
}

/** The columns that must agree for two items of a kind to be the same. */
export function sameColumns<Kind extends ItemKind>(kind: Kind): ColumnsOf<WithSent<Kind>> {
  return Object.fromEntries(Object.entries(itemColumns(kind)).filter(([name]) => kind.same.includes(name)));
}

function readSent(
  name: string,
  { type, defaultValue }: ItemField,
): (item: { readonly sent: Readonly<Record<string, unknown>> }) => ArrayValue | undefined {
  const toColumn = TO_COLUMN[type];
  return ({ sent }) => {
    const value = sent[name] ?? defaultValue;
    return value === undefined ? undefined : toColumn(value);
  };
}

/** Converts a value from the client to the value sent to the database. */
const TO_COLUMN: Readonly<Record<FieldType, (value: unknown) => ArrayValue | undefined>> = {
  text: (text) => text as string,
  date: (day) => day as string,
  numeric: (number) => number as number,
  boolean: (flag) => flag as boolean,
  timestamptz: (dateTime) => new Date(parseDateTime(dateTime as string) ?? NaN).toISOString(),
  json: (list) => plainJson(list),
  paths: (documents) =>
    (documents as { document_path: string }[]).map((one) => one.document_path).join('\n') || undefined,
};

/** A number with an exponent, if it stands in no text. */
const EXPONENT = /\de[-+]\d/;
const TEXT_OR_EXPONENT = /"(?:[^"\\]|\\.)*"|-?\d[\d.]*e[-+]\d+/g;
/** It writes the shortest decimal that is the double, as JSON.stringify does; accepted numbers have fewer decimals. */
const WITHOUT_EXPONENT = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 20 });

/**
 * JSON as it is stored, with numbers without an exponent: JSON.stringify writes 1e-7 for 0.0000001. A text that looks like a number stays.
 */
function plainJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!EXPONENT.test(json)) return json;
  return json.replaceAll(TEXT_OR_EXPONENT, (part) =>
    part.startsWith('"') ? part : WITHOUT_EXPONENT.format(Number(part)),
  );
}

/**
 * SQL for the items of all requests, as `item`: the columns, `request_number` from 1, and `position` among all items from 1.
 * In a select list, `unnest` returns one row at a time, which takes half the time of a single call with all arrays.
 */
export function sentItems<Item>(columns: Columns<Item>): string {
  return `(SELECT generate_subscripts(:request_numbers::integer[], 1) AS position,
                   unnest(:request_numbers::integer[]) AS request_number, ${columns.unnested}) AS item`;
}

/** The parameters of {@link sentItems}. */
export function itemValues<Item>(
  columns: Columns<Item>,
  requests: readonly ImportRequest<Item>[],
): Record<string, unknown> {
  const numbers = requests.flatMap(({ items }, index) => items.map(() => index + 1));
  const [only] = requests;
  const items = requests.length === 1 && only ? only.items : requests.flatMap((request) => request.items);
  return Object.assign(columns.values(items), { request_numbers: `{${numbers.join(',')}}` });
}
