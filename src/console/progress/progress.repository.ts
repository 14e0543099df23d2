import { Injectable } from '@nestjs/common';
import { query, runForOne } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { ItemKind } from '../../items/item-kind.js';
import { ITEMS } from '../../items/items.js';
import type { BoundedCount, SupplierSigns } from './progress.types.js';

/** Refusals are counted no further than this, as are documents on the overview, which asks for each supplier. */
export const COUNTED_MAX = 1_000;

/**
 * SQL for how many documents were not seen, up to a bound and a few more. A bound that is a parameter lets PostgreSQL read the indexes
 * in their order, and no further.
 */
const NOT_SEEN_COUNT = Object.values<ItemKind>(ITEMS)
  .flatMap(({ table, key, documents }) => (documents ? [{ table, key, documents }] : []))
  .map(
    ({ table, key, documents: { hasUnseen, unseenCount } }) => `
    (SELECT coalesce(sum(named.documents), 0)
       FROM (SELECT ${unseenCount} AS documents
               FROM {${table} item}
              WHERE item.import_supplier_id = :import_supplier_id AND ${hasUnseen}
              ORDER BY ${['external_account_number', ...Object.keys(key)].map((column) => `item.${column}`).join(', ')}
              LIMIT :documents_max::integer) AS named)`,
  )
  .join(' + ');

/** The signs of a supplier as numbers that may be one more than their bound. */
type SignsRow = Readonly<Record<keyof SupplierSigns, number>>;

/** Each part reads a bounded number of rows: so many as are counted. */
const SIGNS = query<SignsRow>(
  'console.signs',
  `SELECT (SELECT count(*)
             FROM (SELECT
                     FROM {import_refusal r}
                    WHERE r.import_supplier_id = :import_supplier_id AND r.at >= now() - interval '1 hour'
                    ORDER BY r.at
                    LIMIT :count_max::integer) AS refused)::float8 AS refusals,
          (${NOT_SEEN_COUNT})::float8 AS "documentsNotSeen"
     FROM {import_supplier s}
    WHERE s.id = :import_supplier_id AND {placed}`,
);

@Injectable()
export class ProgressRepository {
  /** @param documentsMax documents are counted no further than this */
  async signs(tx: Tx, importSupplierId: number, documentsMax: number): Promise<SupplierSigns> {
    const row = await runForOne(tx, SIGNS, {
      import_supplier_id: importSupplierId,
      count_max: COUNTED_MAX + 1,
      documents_max: documentsMax + 1,
    });
    return {
      refusals: bounded(row.refusals, COUNTED_MAX),
      documentsNotSeen: bounded(row.documentsNotSeen, documentsMax),
    };
  }
}

function bounded(count: number, max: number): BoundedCount {
  return { count: Math.min(count, max), isMore: count > max };
}
