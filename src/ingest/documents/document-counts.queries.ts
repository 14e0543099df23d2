import { query } from '../../infrastructure/database/query.js';
import type { DocumentCounts } from './document-counts.types.js';
import { FIRST_REQUEST, unseenRequests } from './document-referrers.js';
import { ITEMS_WITH_DOCUMENTS, type ItemWithDocuments } from './document-sql.js';

/**
 * SQL for a count that stops slightly above a bound. Each request counts for at least one document, so it reads at most that many
 * requests. It reads the rows of their accounts once, up to the bound.
 */
const countOf = (supplier: string, condition: string): string =>
  ITEMS_WITH_DOCUMENTS.map(
    ({ request, table, sql }) => `
         (SELECT coalesce(sum(named.documents), 0)
            FROM (SELECT ${sql.unseenCount} AS documents
                    FROM {${table} item}
                   WHERE item.import_supplier_id = ${supplier} AND ${sql.hasUnseen}
                     AND item.external_account_number = ANY (ARRAY(
                          SELECT request.external_account_number
                            FROM (${unseenRequests(request, condition, supplier)} LIMIT :count_max::integer) AS request))
                     AND item.import_request_id ${condition}
                   LIMIT :count_max::integer) AS named)`,
  ).join(' + ');

/** SQL for the first request with documents that have not been seen. */
const firstOf = (supplier: string, { request, table, sql }: ItemWithDocuments, condition: string): string => `
         (SELECT request.id
            FROM (${unseenRequests(request, condition, supplier)}) AS request
           WHERE (SELECT 1
                    FROM {${table} item}
                   WHERE item.import_supplier_id = ${supplier} AND ${sql.hasUnseen}
                     AND item.external_account_number = request.external_account_number AND item.import_request_id = request.id
                   LIMIT 1) IS NOT NULL
           LIMIT 1)`;

/** SQL for {@link DocumentCounts} of a supplier, a query of one row. @param supplier SQL for its id */
export const documentCountsOf = (supplier: string): string => `
   SELECT (${countOf(supplier, '< looked_up.before')})::float8 AS missing,
          (${countOf(supplier, '>= looked_up.before')})::float8 AS "notLookedUp",
          uuid_extract_timestamp(least(${ITEMS_WITH_DOCUMENTS.map((item) => firstOf(supplier, item, '>= looked_up.before')).join(', ')})) AS "notLookedUpSince",
          uuid_extract_timestamp(t.documents_looked_up_before) AS "lookedUpAt", looked_up.before AS "lookedUpBefore"
     FROM {import_supplier s}
     LEFT JOIN {supplier_total t} ON t.import_supplier_id = ${supplier}
    CROSS JOIN LATERAL (SELECT coalesce(t.documents_looked_up_before, uuid '${FIRST_REQUEST}') AS before) AS looked_up
    WHERE s.id = ${supplier}`;

export const COUNTS = query<DocumentCounts>('documents.counts', documentCountsOf(':import_supplier_id'));
