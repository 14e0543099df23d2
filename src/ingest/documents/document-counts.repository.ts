import { Injectable } from '@nestjs/common';
import { query, run, runForOne } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { ITEMS_WITH_DOCUMENTS, type ItemWithDocuments } from './document-sql.js';
import type { DocumentCounts } from './document-counts.types.js';
import { FIRST_REQUEST, unseenRequests } from './document-referrers.js';

/**
 * SQL for a count that stops slightly above a bound. Each request counts for at least one document, so it reads at most that many
 * requests. It reads the rows of their accounts once, up to the bound.
 */
const countOf = (condition: string): string =>
  ITEMS_WITH_DOCUMENTS.map(
    ({ request, table, sql }) => `
         (SELECT coalesce(sum(named.documents), 0)
            FROM (SELECT ${sql.unseenCount} AS documents
                    FROM {${table} item}
                   WHERE item.import_supplier_id = :import_supplier_id AND ${sql.hasUnseen}
                     AND item.external_account_number = ANY (ARRAY(
                          SELECT request.external_account_number
                            FROM (${unseenRequests(request, condition)} LIMIT :count_max::integer) AS request))
                     AND item.import_request_id ${condition}
                   LIMIT :count_max::integer) AS named)`,
  ).join(' + ');

/** SQL for the first request with documents that have not been seen. */
const firstOf = ({ request, table, sql }: ItemWithDocuments, condition: string): string => `
         (SELECT request.id
            FROM (${unseenRequests(request, condition)}) AS request
           WHERE (SELECT 1
                    FROM {${table} item}
                   WHERE item.import_supplier_id = :import_supplier_id AND ${sql.hasUnseen}
                     AND item.external_account_number = request.external_account_number AND item.import_request_id = request.id
                   LIMIT 1) IS NOT NULL
           LIMIT 1)`;

const COUNTS = query<DocumentCounts>(
  'documents.counts',
  `SELECT (${countOf('< looked_up.before')})::float8 AS missing,
          (${countOf('>= looked_up.before')})::float8 AS "notLookedUp",
          uuid_extract_timestamp(least(${ITEMS_WITH_DOCUMENTS.map((item) => firstOf(item, '>= looked_up.before')).join(', ')})) AS "notLookedUpSince",
          uuid_extract_timestamp(t.documents_looked_up_before) AS "lookedUpAt", looked_up.before AS "lookedUpBefore"
     FROM {import_supplier s}
     LEFT JOIN {supplier_total t} ON t.import_supplier_id = :import_supplier_id
    CROSS JOIN LATERAL (SELECT coalesce(t.documents_looked_up_before, uuid '${FIRST_REQUEST}') AS before) AS looked_up
    WHERE s.id = :import_supplier_id`,
);

const NEXT_REQUEST_ID = query<{ id: string }>('documents.next_request_id', 'SELECT uuidv7() AS id');

/** When two look-ups run concurrently, the one that began later counts. */
const SET_LOOKED_UP = query<never>(
  'documents.set_looked_up',
  `INSERT INTO {supplier_total t} (import_supplier_id, documents_looked_up_before)
   SELECT :import_supplier_id, :id::uuid WHERE {held}
       ON CONFLICT (import_supplier_id) DO UPDATE
      SET documents_looked_up_before = greatest(t.documents_looked_up_before, excluded.documents_looked_up_before)`,
);

/** Missing documents and those not looked up yet are two ranges of the same index, split by the time when requests named them. */
@Injectable()
export class DocumentCountsRepository {
  /** @param countMax the most rows with documents that each count reads */
  counts(tx: Tx, importSupplierId: number, countMax: number): Promise<DocumentCounts> {
    return runForOne(tx, COUNTS, { import_supplier_id: importSupplierId, count_max: countMax });
  }

  /** An id after those of all requests so far, and before those of later requests. */
  async nextRequestId(tx: Tx): Promise<string> {
    return (await runForOne(tx, NEXT_REQUEST_ID, {})).id;
  }

  /** Record that the documents of all requests before this id were looked up. */
  async setLookedUp(tx: Tx, importSupplierId: number, id: string): Promise<void> {
    await run(tx, SET_LOOKED_UP, { import_supplier_id: importSupplierId, id });
  }
}
