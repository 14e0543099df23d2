import { query } from '../../infrastructure/database/query.js';
import { ITEM_NAMES } from '../../infrastructure/item-names/item-names.js';
import type { Pace } from './forecast.js';
import { DIFFERENCES } from '../../accounts/counts/account-counts.types.js';
import type { MinuteTotals, SupplierTotals } from './totals.types.js';

/** The totals as the database returns them. */
export type TotalsRow = SupplierTotals & { readonly controlsAt: Date };

/** The most accounts of one lease that are counted as in progress; a lease covers fewer when it is acquired. */
const LEASED_MAX = 5_000;

/** PostgreSQL sends a bigint as text. A float8 is exact for counts up to 2^53. */
const count = (name: string): string => `greatest(t.${name}, 0)::float8`;

const itemCounts = (countOf: (name: string) => string): string =>
  `json_build_object(${ITEM_NAMES.map((name) => `'${name}', ${countOf(name)}`).join(', ')}) AS items`;

/**
 * SQL for the totals of a supplier, a query of one row. The accounts of a lease are looked up by their index. An account of an expired lease is not in progress. Counts of
 * accounts with control totals are current unless they are marked stale.
 *
 * @param supplier SQL for its id
 */
export const totalsOf = (supplier: string): string => `
   SELECT coalesce(waiting.since, now()) AS "asOf",
          json_build_object('pending', greatest(greatest(t.pending, 0) - leased.count, 0)::float8,
                            'in_progress', least(greatest(t.pending, 0), leased.count)::float8,
                            'imported', ${count('imported')}, 'failed', ${count('failed')}) AS accounts,
          ${count('loaded_accounts')} AS "loadedAccounts", ${count('requests')} AS requests, ${itemCounts(count)},
          coalesce(t.amount, 0.00)::text AS amount, t.last_request_at AS "lastRequestAt",
          ${count('pinned_notes')} AS "pinnedNotes",
          json_build_object('with', coalesce(t.controlled, 0), ${DIFFERENCES.map((state) => `'${state}', coalesce(t.${state}, 0)`).join(', ')},
                            'differ', coalesce(${DIFFERENCES.map((state) => `t.${state}`).join(' + ')}, 0)) AS control,
          json_build_object(${ITEM_NAMES.map((name) => `'${name}', t.expected_${name}`).join(', ')}) AS expected,
          CASE WHEN t.are_controls_stale THEN t.controls_as_of ELSE coalesce(waiting.since, now()) END AS "controlsAt"
     FROM {import_supplier s}
     LEFT JOIN {supplier_total t} ON t.import_supplier_id = ${supplier}
    CROSS JOIN LATERAL (
      SELECT min(c.at) AS since FROM {supplier_change c} WHERE c.import_supplier_id = ${supplier}
    ) AS waiting
    CROSS JOIN LATERAL (
      SELECT count(*) AS count
        FROM {import_lease lease}
       CROSS JOIN LATERAL (
         SELECT
           FROM {account_import a}
          WHERE a.import_supplier_id = ${supplier}
            AND a.external_account_number BETWEEN lease.first_number AND lease.last_number
            AND a.status = 'pending'
          LIMIT ${LEASED_MAX}
       ) AS pending
       WHERE lease.import_supplier_id = ${supplier} AND lease.expires_at > clock_timestamp()
    ) AS leased
    WHERE s.id = ${supplier}`;

export const TOTALS = query<TotalsRow>('accounts.totals', totalsOf(':import_supplier_id'));

export const MINUTES = query<MinuteTotals & { readonly importSupplierId: number }>(
  'accounts.minute_totals',
  `SELECT m.import_supplier_id AS "importSupplierId",
          date_bin(make_interval(mins => :step_minutes::integer), m.minute, timestamptz 'epoch') AS minute,
          sum(m.requests)::float8 AS requests, ${itemCounts((name) => `sum(m.${name})::float8`)},
          sum(m.imported)::float8 AS imported, sum(m.failed)::float8 AS failed
     FROM {supplier_minute m}
    WHERE m.import_supplier_id = ANY (:import_supplier_ids::integer[]) AND m.minute >= :since::timestamptz
    GROUP BY 1, 2
    ORDER BY 1, 2`,
);

/** SQL for whether accounts of a supplier are being imported, a query of one row. @param supplier SQL for its id */
export const importingOf = (supplier: string): string => `
   SELECT (SELECT a.staged_at
             FROM {account_import a}
            WHERE a.import_supplier_id = ${supplier} AND a.status = 'pending'
            ORDER BY a.staged_at
            LIMIT 1) AS "pendingSince",
          (SELECT m.minute
             FROM {supplier_minute m}
            WHERE m.import_supplier_id = ${supplier} AND m.imported > 0
            ORDER BY m.minute DESC
            LIMIT 1) AS "lastImportedAt"`;

export const IMPORTING = query<Omit<Pace, 'minutes'>>(
  'accounts.importing',
  `${importingOf(':import_supplier_id')} FROM {import_supplier s} WHERE s.id = :import_supplier_id`,
);
