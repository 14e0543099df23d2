/** SQL types of the columns of items; `paths` is a list of texts, of which the client sends objects with a `document_path`. */
export type FieldType = 'text' | 'date' | 'numeric' | 'boolean' | 'timestamptz' | 'json' | 'paths';

/** A field of an item: a member of its payload, a column of its table and, under the same name, a member of its content. */
export interface ItemField {
  readonly type: FieldType;
  /** What is stored where the client sends nothing; NULL by default. */
  readonly absent?: string | boolean;
  /** SQL for the field as it was sent, of a row `item`, and NULL where it was not; the column by default. */
  readonly sent?: string;
  /** Of a list of objects: the members of each, in any order. */
  readonly members?: readonly string[];
  /** How a page calls it; its name in words by default. */
  readonly label?: string;
}

/** Types of the columns by which an item is found in its account. */
export type KeyType = 'text' | 'bytea' | 'timestamptz' | 'bigint';

/** The documents that an item names, in SQL of a row `item`. */
export interface ItemDocuments {
  /** What a report calls such an item. */
  readonly kind: 'note' | 'statement';
  /** Where they are expected: an array without NULL. */
  readonly locations: string;
  /** Whether it names documents that were not all seen in the store. Then its request has the flag `has_unseen_documents`. */
  readonly hasUnseen: string;
  /** Those that were not seen: a query of their `path`, `location` and `position` in the item. */
  readonly unseen: string;
  readonly unseenCount: string;
  /** The assignments that remember a look-up; `seen.unseen` has the missing paths, joined with line feeds, or is NULL. */
  readonly remember: string;
}

/**
 * A kind of item, described once: what is counted, stored, listed, compared, undone and erased of it follows from here.
 *
 * What a client may send in a field is not described here but by the decorators of the DTO, from which validation and
 * OpenAPI come.
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
  /** The columns that tell items of one account apart and never change, as far as they go in the order of the primary key. */
  readonly key: Readonly<Record<string, KeyType>>;
  /** Of a kind that may name documents. */
  readonly documents?: ItemDocuments;
  /** SQL for whether a row `item` is the service's own, and no part of what suppliers sent; without it none is. */
  readonly ofService?: string;
  /** Which rows differ from what was sent, of a row `item`, and in which fields; without it none does. */
  readonly differs?: { readonly when: string; readonly fields: readonly string[] };
  /** SQL for members of an item in the feed that are no field as it is stored, of a row `item` (choice E2). */
  readonly inFeed?: Readonly<Record<string, string>>;
  /** Columns that are no part of the content of a row (choice V3), beside the keys that all kinds have: why each is there. */
  readonly besides: Readonly<Record<string, string>>;
}

/** The columns that every kind of item has. */
export const COMMON_COLUMNS = ['import_supplier_id', 'external_account_number', 'import_request_id'] as const;

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
