import { query, run, runForOne, type Query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { isNotBeingErased } from '../database/not-being-erased.js';
import type { ItemDocuments, KeyType } from '../items/item-kind.js';
import { ITEMS_WITH_DOCUMENTS } from '../items/items.js';

/** A document that something on an account refers to. */
export interface ReferredDocument {
  /** As it was sent, relative to the document root. */
  readonly path: string;
  /** Bucket, document root and path at the time of storing (choice F1). */
  readonly location: string;
}

/** Where a note or a statement is among those of its kind: the id of its request, and its key in the account, as texts. */
type ReferrerKey = readonly string[];

/** A note or a statement with those of its documents that were never seen in the store. */
export interface UnseenDocuments {
  readonly key: ReferrerKey;
  readonly externalAccountNumber: string;
  readonly documents: readonly ReferredDocument[];
}

/** One of them after a lookup that found at least one of the documents. */
export interface SeenDocuments {
  readonly key: ReferrerKey;
  readonly externalAccountNumber: string;
  /** Paths of the documents that were not found. */
  readonly unseenPaths: readonly string[];
}

/** A document that was never seen in the store. */
export interface UnseenDocument extends ReferredDocument {
  /** Its place in the list: the key of what names it, and its position in that. */
  readonly key: readonly string[];
  readonly externalAccountNumber: string;
  /** When a request named it. */
  readonly namedAt: Date;
}

/** Which of the documents that were not seen, by the ids of the requests that named them: from the first one on, before the second. */
export interface RequestRange {
  readonly from: string;
  readonly before: string;
}

/** The ids before and after those of all requests. */
export const FIRST_REQUEST = '00000000-0000-0000-0000-000000000000';
export const LAST_REQUEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Sorts before every other value. */
const LEAST: Readonly<Record<KeyType | 'uuid', string>> = {
  ...{ text: '', bytea: '', timestamptz: '-infinity', bigint: '0', uuid: FIRST_REQUEST },
};

/** A kind of item that refers to documents, for `documents check` (choice F3). */
export class DocumentReferrer {
  readonly kind: ItemDocuments['kind'];
  private readonly key: readonly (readonly [column: string, type: keyof typeof LEAST])[];
  private readonly count: Query<{ count: number }>;
  private readonly list: Query<UnseenDocuments>;
  private readonly listDocuments: Query<UnseenDocument>;
  private readonly mark: Query<never>;

  constructor({ name, table, key, documents }: (typeof ITEMS_WITH_DOCUMENTS)[number]) {
    this.kind = documents.kind;
    this.key = [['import_request_id', 'uuid'], ...Object.entries<KeyType>(key)];
    const columns = this.key.map(([column]) => `item.${column}`);
    const texts = this.key
      .map(([column, type]) => (type === 'bytea' ? `encode(item.${column}, 'hex')` : `item.${column}::text`))
      .join(', ');
    const after = this.key
      .map(([column, type]) => (type === 'bytea' ? `decode(:${column}, 'hex')` : `:${column}::${type}`))
      .join(', ');
    const found = ['external_account_number', ...Object.keys(key)];
    const isUnseen = `item.import_supplier_id = :import_supplier_id AND ${documents.hasUnseen}
      AND ${isNotBeingErased('item')}`;
    this.count = query(
      `${name}.count_documents_not_seen`,
      `SELECT coalesce(sum(${documents.unseenCount}), 0)::float8 AS count FROM {${table} item} WHERE ${isUnseen}`,
    );
    this.list = query(
      `${name}.documents_not_seen`,
      `SELECT item.external_account_number AS "externalAccountNumber", ARRAY[${texts}] AS key,
          (SELECT json_agg(unseen) FROM (${documents.unseen}) AS unseen) AS documents
     FROM {${table} item}
    WHERE ${isUnseen}
      AND (${columns.join(', ')}) > (${after})
    ORDER BY ${columns.join(', ')}
    LIMIT :count_max`,
    );
    // Each row has a document, but the first one may have them before the place.
    this.listDocuments = query(
      `${name}.list_documents_not_seen`,
      `SELECT item.external_account_number AS "externalAccountNumber", unseen.path, unseen.location,
          uuid_extract_timestamp(item.import_request_id) AS "namedAt", ARRAY[${texts}, unseen.position::text] AS key
     FROM (SELECT item.*
             FROM {${table} item}
            WHERE ${isUnseen}
              AND item.import_request_id >= :from_request::uuid AND item.import_request_id < :before_request::uuid
              AND (${columns.join(', ')}) >= (${after})
            ORDER BY ${columns.join(', ')}
            LIMIT :count_max::integer + 1) AS item
    CROSS JOIN LATERAL (${documents.unseen}) AS unseen
    WHERE (${columns.join(', ')}, unseen.position) > (${after}, :position::bigint)
    ORDER BY ${columns.join(', ')}, unseen.position
    LIMIT :count_max::integer`,
    );
    this.mark = query(
      `${name}.mark_documents_seen`,
      `UPDATE {${table} item}
      SET ${documents.remember}
     FROM unnest(:external_account_number::text[], ${Object.entries(key)
       .map(([column, type]) => `:${column}::${type}[]`)
       .join(', ')}, :unseen::text[])
            AS seen (${found.join(', ')}, unseen)
    WHERE item.import_supplier_id = :import_supplier_id
      AND ${found.map((column) => `item.${column} = seen.${column}`).join(' AND ')}
      AND ${documents.hasUnseen}
      AND {held}`,
    );
  }

  /** The types of the values of {@link UnseenDocument.key}. */
  get keyTypes(): (keyof typeof LEAST)[] {
    return [...this.key.map(([, type]) => type), 'bigint'];
  }

  /** How many documents are to be looked up. */
  async countNotSeen(tx: Tx, importSupplierId: number): Promise<number> {
    return (await runForOne(tx, this.count, { import_supplier_id: importSupplierId })).count;
  }

  /**
   * The next rows of a supplier with documents that were not seen, in the order of the requests that stored them.
   *
   * @param after the key after which to continue; nothing for the start
   */
  listNotSeen(
    tx: Tx,
    importSupplierId: number,
    after: ReferrerKey | undefined,
    countMax: number,
  ): Promise<UnseenDocuments[]> {
    return run(tx, this.list, {
      ...{ import_supplier_id: importSupplierId, count_max: countMax },
      ...this.parametersOf(after ?? []),
    });
  }

  /**
   * The next documents that were not seen, in the same order.
   *
   * @param after the key after which to continue; nothing for the start
   */
  listDocumentsNotSeen(
    tx: Tx,
    importSupplierId: number,
    { from, before }: RequestRange,
    after: readonly string[] | undefined,
    countMax: number,
  ): Promise<UnseenDocument[]> {
    return run(tx, this.listDocuments, {
      ...{ import_supplier_id: importSupplierId, count_max: countMax },
      ...{ from_request: from, before_request: before },
      ...this.parametersOf(after ?? []),
      position: after?.at(-1) ?? 0,
    });
  }

  /** Remember which documents exist. */
  async markSeen(tx: Tx, importSupplierId: number, seen: readonly SeenDocuments[]): Promise<void> {
    const [, ...key] = this.key;
    const valuesOf = (type: string, index: number): string[] =>
      seen.map((one) => `${type === 'bytea' ? '\\x' : ''}${one.key[index] ?? ''}`);
    await run(tx, this.mark, {
      import_supplier_id: importSupplierId,
      external_account_number: seen.map(({ externalAccountNumber }) => externalAccountNumber),
      ...Object.fromEntries(key.map(([column, type], index) => [column, valuesOf(type, index + 1)])),
      unseen: seen.map(({ unseenPaths }) => (unseenPaths.length > 0 ? unseenPaths.join('\n') : null)),
    });
  }

  /** @param values of the key, or the first ones of them */
  private parametersOf(values: readonly string[]): Record<string, string> {
    return Object.fromEntries(
      this.key.map(([column, type], index) => [column, values[index] ?? LEAST[type]]),
    );
  }
}

/** Everything that refers to documents, in the order of their kinds. */
export const DOCUMENT_REFERRERS: readonly DocumentReferrer[] = ITEMS_WITH_DOCUMENTS.map(
  (kind) => new DocumentReferrer(kind),
);
