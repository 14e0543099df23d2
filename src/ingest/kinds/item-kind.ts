/** SQL types of item columns. `paths` is a list of texts; the client sends it as objects with a `document_path`. */
export type FieldType = 'text' | 'date' | 'numeric' | 'boolean' | 'timestamptz' | 'json' | 'paths';

/** SQL types of all columns, including those that the service fills. */
export type ColumnType = FieldType | 'bytea' | 'bigint' | 'integer' | 'jsonb' | 'uuid';

/** A column of a kind's table. */
export interface ItemColumn {
  readonly type: ColumnType;
  readonly nullable?: true;
  readonly array?: true;
}

/** A field of an item. The same name is a member of the payload, a column of the table and a member of the content. */
export interface ItemField extends ItemColumn {
  readonly type: FieldType;
  /** The value stored when the client omits the field; NULL by default. Sending this value is the same as omitting the field. */
  readonly defaultValue?: string | boolean | readonly [];
  /** For a list of objects: the members of each object, in any order. */
  readonly members?: readonly string[];
  /** Its label on a page; by default the field name as words. */
  readonly label?: string;
  /** For a field in {@link ItemKind.same}: it is compared only when both items omit this other field. */
  readonly comparedUnlessSent?: string;
  /** For a field in {@link ItemKind.same}: an item that omits it matches an item with any value. */
  readonly comparedIfSent?: true;
  /** Its name in a sentence; by default the field name. */
  readonly words?: string;
}

/**
 * The description of a kind of item. All code that counts, stores, lists, compares, undoes or erases items is derived from it. A
 * capability that needs SQL for some kinds or fields keeps a record keyed by all of them, which does not compile while one is missing.
 *
 * The DTO's decorators describe the values that a client may send in a field. Validation and OpenAPI are derived from those.
 */
export interface ItemKind {
  /** The kind of its import requests in the request records and the metrics. */
  readonly request: string;
  /** How command output and pages name the content of such a request. */
  readonly requestWords: string;
  /** Its section in the content of an account (choice V1), and its label in the metrics. */
  readonly section: string;
  readonly table: string;
  /** The heading above its count or list. */
  readonly label: string;
  readonly fields: Readonly<Record<string, ItemField>>;
  /** Two items are the same when these fields agree. */
  readonly same: readonly string[];
  /** The columns that identify an item within its account and never change, in primary key order. */
  readonly key: readonly string[];
  /** The columns of the primary key within an account; by default `key`. */
  readonly primaryKey?: readonly string[];
  /** The key column that hashes the fields of {@link same} outside the key, and the SQL function that computes it. */
  readonly hash?: { readonly column: string; readonly function: string };
  /** For a kind that may name documents: what a report calls such an item. */
  readonly documents?: 'note' | 'statement';
  /** The fields whose stored value may differ from the value that was sent. */
  readonly alteredFields: readonly string[];
  /** The members of an item in the feed that do not come straight from a stored field (choice E2). */
  readonly feedFields: Readonly<Record<string, FieldType>>;
  /** The table's columns besides the fields and {@link COMMON_COLUMNS}. They are not part of a row's content (choice V3). */
  readonly excludedColumns: Readonly<Record<string, ItemColumn>>;
}

/** The columns that every kind of item has. */
export const COMMON_COLUMNS = {
  import_supplier_id: { type: 'integer' },
  external_account_number: { type: 'text' },
  import_request_id: { type: 'uuid' },
} as const;

/** The type of a kind's column. @throws Error when the kind has no column of this name */
export function columnType({ table, fields, excludedColumns }: ItemKind, name: string): ColumnType {
  const column = fields[name] ?? excludedColumns[name];
  if (column === undefined) throw new Error(`${table} has no column ${name}.`);
  return column.type;
}

/** Types of the key columns that identify an item in its account. */
export type KeyType = Extract<ColumnType, 'text' | 'bytea' | 'timestamptz' | 'bigint'>;

/** The key columns that identify an item in its account, with their types. */
export function keyTypes(kind: ItemKind): Readonly<Record<string, KeyType>> {
  return Object.fromEntries(kind.key.map((name) => [name, columnType(kind, name) as KeyType]));
}

/** The fields that the hash in the key covers. */
export function hashedFields({ same, key }: ItemKind): string[] {
  return same.filter((name) => !key.includes(name));
}

/**
 * SQL for the hash in an item's key.
 *
 * @param columnOf SQL for the stored value of a field; by default the field name
 */
export function hashSql(kind: ItemKind, columnOf: (name: string) => string = (name) => name): string {
  return `${kind.hash?.function ?? ''}(${hashedFields(kind).map(columnOf).join(', ')})`;
}

type FieldsOf<Kind extends ItemKind> = keyof Kind['fields'];

/**
 * An item as it was sent, typed by the class of its payload. When a field is only in the class or only in the description, this
 * becomes a different type that names the field, and assigning the payload does not compile.
 */
export type Described<Kind extends ItemKind, Dto> = [Exclude<keyof Dto, FieldsOf<Kind>>] extends [never]
  ? [Exclude<FieldsOf<Kind>, keyof Dto>] extends [never]
    ? Dto
    : { readonly isNoFieldOfTheDto: Exclude<FieldsOf<Kind>, keyof Dto> }
  : { readonly isNotDescribed: Exclude<keyof Dto, FieldsOf<Kind>> };

/** The members of an item as it was sent, by name. */
export type SentItem<Kind extends ItemKind> = Readonly<Partial<Record<FieldsOf<Kind>, unknown>>>;
