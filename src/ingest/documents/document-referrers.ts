import { query, run, runForOne, type Query } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { isNotBeingErased } from '../../infrastructure/database/not-being-erased.js';
import type { KeyType } from '../kinds/item-kind.js';
import { ITEMS_WITH_DOCUMENTS, type ItemWithDocuments } from './document-sql.js';

/** A document that an item of an account refers to. */
export interface ReferredDocument {
  /** As it was sent, relative to the document root. */
  readonly path: string;
  /** Bucket, document root and path at the time of storing (choice F1). */
  readonly location: string;
}

/** The position of a note or a statement among those of its kind: its request's id and its key in the account, as texts. */
type ReferrerKey = readonly string[];

/** A note or a statement with its documents that were never seen in the store; or a request, which follows all of its items. */
export interface UnseenDocuments {
  readonly key: ReferrerKey;
  readonly externalAccountNumber: string;
  readonly documents: readonly ReferredDocument[];
}

/** A note or a statement after a look-up that found at least one of its documents. */
export interface SeenDocuments {
  readonly key: ReferrerKey;
  readonly externalAccountNumber: string;
  /** Paths of the documents that were not found. */
  readonly unseenPaths: readonly string[];
}

/** The result of a look-up. */
export interface LookedUp {
  /** Items with at least one document that exists. */
  readonly seen: SeenDocuments[];
  /** Requests whose documents all exist. */
  readonly done: Pick<UnseenDocuments, 'key' | 'externalAccountNumber'>[];
}

/** A document that was never seen in the store. */
export interface UnseenDocument extends ReferredDocument {
  /** Its place in the list: the key of the item that names it, and its position in that item. */
  readonly key: readonly string[];
  readonly externalAccountNumber: string;
  /** When a request named it. */
  readonly namedAt: Date;
}

/** Selects documents by the ids of the requests that named them: after `from` and before `before`, neither of which is a request's id. */
export interface RequestRange {
  readonly from: string;
  readonly before: string;
}

/** The ids that come before and after those of all requests. */
export const FIRST_REQUEST = '00000000-0000-0000-0000-000000000000';
export const LAST_REQUEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Notes or statements per look-up, plus the rest of the last request's. Each of their documents is looked up once. */
const BATCH_ROWS = 500;
/** Notes or statements per read for a page of documents, plus the rest of the last request's. */
const READ_ROWS = 5_000;

/** Sorts before every other value. */
const LEAST: Readonly<Record<KeyType | 'uuid', string>> = {
  ...{ text: '', bytea: '', timestamptz: '-infinity', bigint: '0', uuid: FIRST_REQUEST },
};

/**
 * SQL for the requests of a kind with documents that have not been seen, in id order. Until the next check, it may return a request
 * that has no such item: its items had been stored before, or each of two checks found the documents that the other had missed.
 *
 * @param condition on their ids
 * @param supplier SQL for the id of the supplier
 */
export const unseenRequests = (kind: string, condition: string, supplier = ':import_supplier_id'): string => `
           SELECT request.external_account_number, request.id, request.stored
             FROM {import_request request}
            WHERE request.import_supplier_id = ${supplier} AND request.kind = '${kind}' AND request.has_unseen_documents
              AND request.id ${condition}
            ORDER BY request.id`;

/**
 * The next of these requests as `request`, and the last one as `last`. No index finds the items of a request, so the items of the
 * accounts are read once; those up to the last request belong to these requests.
 */
const nextRequests = (kind: string, condition: string): string => `WITH request AS MATERIALIZED (
     SELECT request.external_account_number, request.id
       FROM (SELECT request.*, sum(request.stored) OVER (ORDER BY request.id ROWS UNBOUNDED PRECEDING) - request.stored AS before
               FROM (${unseenRequests(kind, `${condition} AND ${isNotBeingErased('request')}`)}
                      LIMIT :count_max::integer) AS request) AS request
      WHERE request.before < :rows_max::integer
   ),
   last AS MATERIALIZED (SELECT request.id FROM request ORDER BY request.id DESC LIMIT 1)`;

/** The query that records which documents were seen, on items and on requests whose documents all exist. */
function markQuery({ name, table, key, sql }: ItemWithDocuments): Query<never> {
  const found = ['external_account_number', ...Object.keys(key)];
  // Locks the record before its items, as an undo does. The items come later because PostgreSQL runs an unread expression last.
  return query(
    `${name}.mark_documents_seen`,
    `WITH marked AS (
     UPDATE {${table} item}
        SET ${sql.markSeen}
       FROM unnest(:external_account_number::text[], ${Object.entries(key)
         .map(([column, type]) => `:${column}::${type}[]`)
         .join(', ')}, :unseen::text[])
              AS seen (${found.join(', ')}, unseen)
      WHERE item.import_supplier_id = :import_supplier_id
        AND ${found.map((column) => `item.${column} = seen.${column}`).join(' AND ')}
        AND ${sql.hasUnseen}
   )
   UPDATE {import_request request}
      SET has_unseen_documents = NULL
     FROM unnest(:account_numbers::text[], :import_request_ids::uuid[]) AS seen (external_account_number, id)
    WHERE request.import_supplier_id = :import_supplier_id
      AND request.external_account_number = seen.external_account_number
      AND request.id = seen.id AND request.has_unseen_documents
      AND {held}`,
  );
}

/** A kind of item that refers to documents, for `documents check` (choice F3). */
export class DocumentReferrer {
  readonly kind: ItemWithDocuments['documents'];
  private readonly key: readonly (readonly [column: string, type: keyof typeof LEAST])[];
  private readonly count: Query<{ count: number }>;
  private readonly list: Query<UnseenDocuments>;
  private readonly listDocuments: Query<{ through: string } & (UnseenDocument | { path: null })>;
  private readonly mark: Query<never>;

  constructor(item: ItemWithDocuments) {
    const { name, request, table, key, documents, sql } = item;
    this.kind = documents;
    this.key = [['import_request_id', 'uuid'], ...Object.entries<KeyType>(key)];
    const columns = this.key.map(([column]) => `item.${column}`);
    const texts = this.key
      .map(([column, type]) => (type === 'bytea' ? `encode(item.${column}, 'hex')` : `item.${column}::text`))
      .join(', ');
    const after = this.key
      .map(([column, type]) => (type === 'bytea' ? `decode(:${column}, 'hex')` : `:${column}::${type}`))
      .join(', ');
    const nulls = Object.keys(key).map(() => 'NULL');
    const isUnseen = `item.import_supplier_id = :import_supplier_id AND ${sql.hasUnseen}`;
    const ofRequests = `${isUnseen}
                  AND item.external_account_number = ANY (ARRAY(SELECT request.external_account_number FROM request))
                  AND item.import_request_id <= (SELECT last.id FROM last)`;
    this.count = query(
      `${name}.count_documents_not_seen`,
      `SELECT coalesce(sum(${sql.unseenCount}), 0)::float8 AS count
     FROM {${table} item}
    WHERE ${isUnseen}
      AND item.external_account_number IN (
           SELECT request.external_account_number FROM (${unseenRequests(request, `IS NOT NULL AND ${isNotBeingErased('request')}`)}) AS request)`,
    );
    this.list = query(
      `${name}.documents_not_seen`,
      `${nextRequests(request, '> :import_request_id::uuid')}
   SELECT item.external_account_number AS "externalAccountNumber", ARRAY[${texts}] AS key, item.documents
     FROM (SELECT item.external_account_number, ${columns.join(', ')},
                  (SELECT json_agg(unseen) FROM (${sql.unseen}) AS unseen) AS documents
             FROM {${table} item}
            WHERE ${ofRequests} AND item.import_request_id > :import_request_id::uuid
            UNION ALL
           SELECT request.external_account_number, request.id, ${nulls.join(', ')}, '[]'
             FROM request) AS item
    ORDER BY ${columns.join(', ')}`,
    );
    this.listDocuments = query(
      `${name}.list_documents_not_seen`,
      `${nextRequests(request, '> :from_request::uuid AND request.id >= :import_request_id::uuid AND request.id < :before_request::uuid')}
   SELECT last.id AS through, item.external_account_number AS "externalAccountNumber", item.path, item.location,
          uuid_extract_timestamp(item.import_request_id) AS "namedAt", ARRAY[${texts}, item.position::text] AS key
     FROM last
     LEFT JOIN (SELECT item.*, unseen.path, unseen.location, unseen.position
                  FROM {${table} item} CROSS JOIN LATERAL (${sql.unseen}) AS unseen
                 WHERE ${ofRequests} AND item.import_request_id > :from_request::uuid
                   AND (${columns.join(', ')}, unseen.position) > (${after}, :position::bigint)) AS item ON true
    ORDER BY ${columns.join(', ')}, item.position
    LIMIT :count_max::integer`,
    );
    this.mark = markQuery(item);
  }

  /** The types of the values in {@link UnseenDocument.key}. */
  get keyTypes(): (keyof typeof LEAST)[] {
    return [...this.key.map(([, type]) => type), 'bigint'];
  }

  /** The number of documents to look up. */
  async countNotSeen(tx: Tx, importSupplierId: number): Promise<number> {
    return (await runForOne(tx, this.count, { import_supplier_id: importSupplierId })).count;
  }

  /**
   * The next requests of a supplier, each after all of its rows with documents that have not been seen, in request order.
   *
   * @param after a key of the request after which to continue; undefined to start
   */
  listNotSeen(tx: Tx, importSupplierId: number, after?: ReferrerKey): Promise<UnseenDocuments[]> {
    return run(tx, this.list, {
      ...{ import_supplier_id: importSupplierId, count_max: BATCH_ROWS, rows_max: BATCH_ROWS },
      ...this.parametersOf(after ?? []),
    });
  }

  /**
   * The next documents that have not been seen, in the same order.
   *
   * @param after the key after which to continue; undefined to start
   */
  async listDocumentsNotSeen(
    tx: Tx,
    importSupplierId: number,
    { from, before }: RequestRange,
    after: readonly string[] | undefined,
    countMax: number,
  ): Promise<UnseenDocument[]> {
    const found: UnseenDocument[] = [];
    for (let first = from, place = after; ; place = undefined) {
      const rows = await run(tx, this.listDocuments, {
        ...{ import_supplier_id: importSupplierId, count_max: countMax - found.length, rows_max: READ_ROWS },
        ...{ from_request: first, before_request: before },
        ...this.parametersOf(place ?? []),
        position: place?.at(-1) ?? 0,
      });
      found.push(...rows.filter((row) => row.path !== null));
      if (rows[0] === undefined || found.length === countMax) return found;
      first = rows[0].through;
    }
  }

  /** Record which documents exist. A request's rows are only added together with it, so a request that is done stays done. */
  async markSeen(tx: Tx, importSupplierId: number, { seen, done }: LookedUp): Promise<void> {
    const [, ...key] = this.key;
    const valuesOf = (type: string, index: number): string[] =>
      seen.map((one) => `${type === 'bytea' ? '\\x' : ''}${one.key[index] ?? ''}`);
    await run(tx, this.mark, {
      import_supplier_id: importSupplierId,
      external_account_number: seen.map(({ externalAccountNumber }) => externalAccountNumber),
      ...Object.fromEntries(key.map(([column, type], index) => [column, valuesOf(type, index + 1)])),
      unseen: seen.map(({ unseenPaths }) => (unseenPaths.length > 0 ? unseenPaths.join('\n') : null)),
      account_numbers: done.map(({ externalAccountNumber }) => externalAccountNumber),
      import_request_ids: done.map(({ key: [id] }) => id),
    });
  }

  /** @param values the values of the key, or the first few of them */
  private parametersOf(values: readonly string[]): Record<string, string> {
    return Object.fromEntries(
      this.key.map(([column, type], index) => [column, values[index] ?? LEAST[type]]),
    );
  }
}

/** The kinds of items that refer to documents, in the order of {@link ITEMS_WITH_DOCUMENTS}. */
export const DOCUMENT_REFERRERS: readonly DocumentReferrer[] = ITEMS_WITH_DOCUMENTS.map(
  (kind) => new DocumentReferrer(kind),
);
