import { query } from '../../../infrastructure/database/query.js';
import type { DocumentCounts } from '../../../ingest/documents/document-counts.types.js';
import type { BoundedCount, SupplierSigns } from './progress.types.js';

/** Refusals and documents are counted up to this number, because the overview counts them for each supplier. */
export const COUNTED_MAX = 1_000;

/** Reads no more rows than it counts. */
export const REFUSALS = query<{ count: number }>(
  'console.refusals_of_last_hour',
  `SELECT (SELECT count(*)
             FROM (SELECT
                     FROM {import_refusal r}
                    WHERE r.import_supplier_id = :import_supplier_id AND r.at >= now() - interval '1 hour'
                    ORDER BY r.at
                    LIMIT :count_max::integer) AS refused)::float8 AS count
     FROM {import_supplier s}
    WHERE s.id = :import_supplier_id`,
);

/** The counts of missing documents and of those not looked up yet. @param max they are counted up to this number */
export function documentSigns(
  { missing, notLookedUp, notLookedUpSince }: DocumentCounts,
  max: number,
): Omit<SupplierSigns, 'refusals'> {
  return {
    missingDocuments: bounded(missing, max),
    documentsNotLookedUp: { ...bounded(notLookedUp, max), since: notLookedUpSince },
  };
}

/** @param max it was counted up to this number and one more */
export function bounded(count: number, max: number): BoundedCount {
  return { count: Math.min(count, max), isMore: count > max };
}
