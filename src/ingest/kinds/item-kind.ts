/** SQL types of the columns of items; `paths` is a list of texts, of which the client sends objects with a `document_path`. */
export type FieldType = 'text' | 'date' | 'numeric' | 'boolean' | 'timestamptz' | 'json' | 'paths';

/** SQL types of all columns. */
export type ColumnType = FieldType | 'bytea' | 'bigint' | 'integer' | 'jsonb' | 'uuid';

/** A column of the table of a kind. */
export interface ItemColumn {
  readonly type: ColumnType;
  readonly nullable?: true;
  readonly array?: true;
}

/** A field of an item: a member of its payload, a column of its table and, under the same name, a member of its content. */
export interface ItemField extends ItemColumn {
  readonly type: FieldType;
  /** The value that is stored if the client omits the field; NULL by default. Sending this value is the same as omitting the field. */
  readonly defaultValue?: string | boolean | readonly [];
  /** Of a list of objects: the members of each, in any order. */
  readonly members?: readonly string[];
  /** How a page calls it; its name in words by default. */
  readonly label?: string;
  /** For a field in {@link ItemKind.same}: it is compared only in items that omit this other field. */
  readonly comparedWithout?: string;
  /** For a field in {@link ItemKind.same}: an item that omits it is the same as one with any value. */
  readonly comparedIfSent?: true;
  /** Its name in a sentence; the name of the field by default. */
  readonly words?: string;
}

/**
 * The facts about a kind of item. Everything that counts, stores, lists, compares, undoes or erases items is derived from them. A
 * capability that needs SQL for some kinds or fields has a record over all of them, which does not compile while one is missing.
 *
 * The decorators of the DTO describe what a client may send in a field. Validation and OpenAPI come from those.
 */
export interface ItemKind {
  /** The kind of its import requests, in their records and metrics. */
  readonly request: string;
  /** What an operator or page reads of such a request. */
  readonly requestWords: string;
  /** Its section in what an account holds (choice V1), and its label in the metrics. */
  readonly section: string;
  readonly table: string;
  /** The heading of its count or list. */
  readonly label: string;
  readonly fields: Readonly<Record<string, ItemField>>;
  /** The fields in which two items must agree to be the same. */
  readonly same: readonly string[];
  /** The columns that identify an item within its account and never change, in the order of the primary key. */
  readonly key: readonly string[];
  /** The columns of the primary key within an account; the key by default. */
  readonly primaryKey?: readonly string[];
  /** The key column that is a hash of the fields in {@link same} that are not in the key, and the SQL function that computes it. */
  readonly hash?: { readonly column: string; readonly function: string };
  /** The name of such an item in a report, for a kind that may name documents. */
  readonly documents?: 'note' | 'statement';
  /** The fields that may be stored with another value than was sent. */
  readonly alteredFields: readonly string[];
  /** The members of an item in the feed that are not what is stored in a field (choice E2). */
  readonly feedFields: Readonly<Record<string, FieldType>>;
  /** The columns of the table beside the fields and {@link COMMON_COLUMNS}, which are no part of the content of a row (choice V3). */
  readonly excludedColumns: Readonly<Record<string, ItemColumn>>;
}

/** The columns that every kind of item has. */
export const COMMON_COLUMNS = {
  import_supplier_id: { type: 'integer' },
  external_account_number: { type: 'text' },
  import_request_id: { type: 'uuid' },
} as const;

/** The type of a column of a kind. @throws Error when it has none of this name */
export function columnType({ table, fields, excludedColumns }: ItemKind, name: string): ColumnType {
  const column = fields[name] ?? excludedColumns[name];
  if (column === undefined) throw new Error(`${table} has no column ${name}.`);
  return column.type;
}

/** Types of the columns by which an item is found in its account. */
export type KeyType = Extract<ColumnType, 'text' | 'bytea' | 'timestamptz' | 'bigint'>;

/** The columns by which an item is found in its account, with their types. */
export function keyTypes(kind: ItemKind): Readonly<Record<string, KeyType>> {
  return Object.fromEntries(kind.key.map((name) => [name, columnType(kind, name) as KeyType]));
}

/** The fields from which the hash in the key is computed. */
export function hashedFields({ same, key }: ItemKind): string[] {
  return same.filter((name) => !key.includes(name));
}

/**
 * SQL for the hash in the key of an item.
 *
 * @param columnOf SQL for a field of it as it is stored; by default its name
 */
export function hashSql(kind: ItemKind, columnOf: (name: string) => string = (name) => name): string {
  return `${kind.hash?.function ?? ''}(${hashedFields(kind).map(columnOf).join(', ')})`;
}

type FieldsOf<Kind extends ItemKind> = keyof Kind['fields'];

/**
 * An item as it was sent, by the class of its payload. Where the class has a field that the description lacks, or lacks one
 * that it has, this is another type, which names the field; then assigning the payload does not compile.
 */
export type Described<Kind extends ItemKind, Dto> = [Exclude<keyof Dto, FieldsOf<Kind>>] extends [never]
  ? [Exclude<FieldsOf<Kind>, keyof Dto>] extends [never]
    ? Dto
    : { readonly isNoFieldOfTheDto: Exclude<FieldsOf<Kind>, keyof Dto> }
  : { readonly isNotDescribed: Exclude<keyof Dto, FieldsOf<Kind>> };

/** The members of an item as it was sent, by their names. */
export type SentItem<Kind extends ItemKind> = Readonly<Partial<Record<FieldsOf<Kind>, unknown>>>;
