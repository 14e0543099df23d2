import { query, run, runForOne, type Query } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { isNotBeingErased } from '../../infrastructure/database/not-being-erased.js';
import type { KeyType } from '../kinds/item-kind.js';
import { ITEMS_WITH_DOCUMENTS, type ItemWithDocuments } from './document-sql.js';

/** A document that something on an account refers to. */
export interface ReferredDocument {
  /** As it was sent, relative to the document root. */
  readonly path: string;
  /** Bucket, document root and path at the time of storing (choice F1). */
  readonly location: string;
}

/** Where a note or a statement is among those of its kind: the id of its request, and its key in the account, as texts. */
type ReferrerKey = readonly string[];

/** A note or a statement with those of its documents that were never seen in the store; or a request, after all of its items. */
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

/** What a lookup of requests has found. */
export interface LookedUp {
  /** Those of whose documents at least one is there. */
  readonly seen: SeenDocuments[];
  /** Those of the requests of which every document is there. */
  readonly done: Pick<UnseenDocuments, 'key' | 'externalAccountNumber'>[];
}

/** A document that was never seen in the store. */
export interface UnseenDocument extends ReferredDocument {
  /** Its place in the list: the key of what names it, and its position in that. */
  readonly key: readonly string[];
  readonly externalAccountNumber: string;
  /** When a request named it. */
  readonly namedAt: Date;
}

/** Which of the documents that were not seen, by the ids of the requests that named them: after the first one, before the second, neither of which is a request's. */
export interface RequestRange {
  readonly from: string;
  readonly before: string;
}

/** The ids before and after those of all requests. */
export const FIRST_REQUEST = '00000000-0000-0000-0000-000000000000';
export const LAST_REQUEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Notes or statements that are looked up at a time, those of the last request in addition; each of their documents is looked up once. */
const BATCH_ROWS = 500;
/** The same of those that are read at a time for a page of documents. */
const READ_ROWS = 5_000;

/** Sorts before every other value. */
const LEAST: Readonly<Record<KeyType | 'uuid', string>> = {
  ...{ text: '', bytea: '', timestamptz: '-infinity', bigint: '0', uuid: FIRST_REQUEST },
};

/**
 * SQL for the requests of a kind with documents that were not seen, in the order of their ids. It may return one without an item that
 * has some, until the next check: what named them had been stored before, or each of two checks found what the other one had missed.
 *
 * @param condition for their ids
 */
export const unseenRequests = (kind: string, condition: string): string => `
           SELECT request.external_account_number, request.id, request.stored
             FROM {import_request request}
            WHERE request.import_supplier_id = :import_supplier_id AND request.kind = '${kind}' AND request.has_unseen_documents
              AND request.id ${condition}
            ORDER BY request.id`;

/**
 * The next of these requests: `request`, and `last` of them. No index finds the items of a request: those of the accounts are read once,
 * and of these the ones up to the last request are of these requests.
 */
const nextRequests = (kind: string, condition: string): string => `WITH request AS MATERIALIZED (
     SELECT request.external_account_number, request.id
       FROM (SELECT request.*, sum(request.stored) OVER (ORDER BY request.id ROWS UNBOUNDED PRECEDING) - request.stored AS before
               FROM (${unseenRequests(kind, `${condition} AND ${isNotBeingErased('request')}`)}
                      LIMIT :count_max::integer) AS request) AS request
      WHERE request.before < :rows_max::integer
   ),
   last AS MATERIALIZED (SELECT request.id FROM request ORDER BY request.id DESC LIMIT 1)`;

/** What remembers which documents were seen, of items and of requests that are done. */
function markQuery({ name, table, key, sql }: ItemWithDocuments): Query<never> {
  const found = ['external_account_number', ...Object.keys(key)];
  // The record before its items, as an undo locks them: PostgreSQL carries out last what nothing reads.
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

  /** The types of the values of {@link UnseenDocument.key}. */
  get keyTypes(): (keyof typeof LEAST)[] {
    return [...this.key.map(([, type]) => type), 'bigint'];
  }

  /** How many documents are to be looked up. */
  async countNotSeen(tx: Tx, importSupplierId: number): Promise<number> {
    return (await runForOne(tx, this.count, { import_supplier_id: importSupplierId })).count;
  }

  /**
   * The next requests of a supplier with all of their rows whose documents were not seen, in the order of the requests.
   *
   * @param after a key of the request after which to continue; nothing for the start
   */
  listNotSeen(tx: Tx, importSupplierId: number, after?: ReferrerKey): Promise<UnseenDocuments[]> {
    return run(tx, this.list, {
      ...{ import_supplier_id: importSupplierId, count_max: BATCH_ROWS, rows_max: BATCH_ROWS },
      ...this.parametersOf(after ?? []),
    });
  }

  /**
   * The next documents that were not seen, in the same order.
   *
   * @param after the key after which to continue; nothing for the start
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

  /** Remember which documents exist. Rows of a request are only ever added together with it, so one that is done stays so. */
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
