import { query, run, runForOne, type Query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { isNotBeingErased } from '../erasure/not-being-erased.js';
import type { ItemDocuments, KeyType } from '../items/item-kind.js';
import { ITEMS_WITH_DOCUMENTS } from '../items/items.js';

/** A document that something on an account refers to. */
export interface ReferredDocument {
  /** As it was sent, relative to the document root. */
  readonly path: string;
  /** Bucket, document root and path at the time of storing (choice F1). */
  readonly location: string;
}

/** The key of a note or a statement among its kind, the account's number first, as texts. */
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
  /** Paths of the documents that were not found. */
  readonly unseenPaths: readonly string[];
}

/** Sorts before every other value. */
const LEAST: Readonly<Record<KeyType, string>> = {
  ...{ text: '', bytea: '', timestamptz: '-infinity', bigint: '0' },
};

/** A kind of item that refers to documents, for `documents check` (choice F3). */
export class DocumentReferrer {
  readonly kind: ItemDocuments['kind'];
  private readonly key: readonly (readonly [column: string, type: KeyType])[];
  private readonly count: Query<{ count: number }>;
  private readonly list: Query<UnseenDocuments>;
  private readonly mark: Query<never>;

  constructor({ name, table, key, documents }: (typeof ITEMS_WITH_DOCUMENTS)[number]) {
    this.kind = documents.kind;
    this.key = [['external_account_number', 'text'], ...Object.entries(key)];
    const columns = this.key.map(([column]) => column);
    const isUnseen = `item.import_supplier_id = :import_supplier_id AND ${documents.hasUnseen}
      AND ${isNotBeingErased('item')}`;
    this.count = query(
      `${name}.count_documents_not_seen`,
      `SELECT coalesce(sum(${documents.unseenCount}), 0)::float8 AS count FROM {${table} item} WHERE ${isUnseen} AND {placed}`,
    );
    this.list = query(
      `${name}.documents_not_seen`,
      `SELECT item.external_account_number AS "externalAccountNumber",
          ARRAY[${columns.map((column) => `item.${column}::text`).join(', ')}] AS key,
          (SELECT json_agg(unseen) FROM (${documents.unseen}) AS unseen) AS documents
     FROM {${table} item}
    WHERE ${isUnseen} AND {placed}
      AND (${columns.map((column) => `item.${column}`).join(', ')}) > (${this.key.map(([column, type]) => `:${column}::${type}`).join(', ')})
    ORDER BY ${columns.map((column) => `item.${column}`).join(', ')}
    LIMIT :count_max`,
    );
    this.mark = query(
      `${name}.mark_documents_seen`,
      `UPDATE {${table} item}
      SET ${documents.remember}
     FROM unnest(${this.key.map(([column, type]) => `:${column}::${type}[]`).join(', ')}, :unseen::text[])
            AS seen (${columns.join(', ')}, unseen)
    WHERE item.import_supplier_id = :import_supplier_id
      AND ${columns.map((column) => `item.${column} = seen.${column}`).join(' AND ')}
      AND ${documents.hasUnseen}
      AND {held}`,
    );
  }

  /** How many documents are to be looked up. */
  async countNotSeen(tx: Tx, importSupplierId: number): Promise<number> {
    return (await runForOne(tx, this.count, { import_supplier_id: importSupplierId })).count;
  }

  /**
   * The next rows of a supplier with documents that were not seen, in the order of their keys.
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
      import_supplier_id: importSupplierId,
      ...Object.fromEntries(this.key.map(([column, type], index) => [column, after?.[index] ?? LEAST[type]])),
      count_max: countMax,
    });
  }

  /** Remember which documents exist. */
  async markSeen(tx: Tx, importSupplierId: number, seen: readonly SeenDocuments[]): Promise<void> {
    await run(tx, this.mark, {
      import_supplier_id: importSupplierId,
      ...Object.fromEntries(this.key.map(([column], index) => [column, seen.map(({ key }) => key[index])])),
      unseen: seen.map(({ unseenPaths }) => (unseenPaths.length > 0 ? unseenPaths.join('\n') : null)),
    });
  }
}

/** Everything that refers to documents, in the order of their kinds. */
export const DOCUMENT_REFERRERS: readonly DocumentReferrer[] = ITEMS_WITH_DOCUMENTS.map(
  (kind) => new DocumentReferrer(kind),
);
