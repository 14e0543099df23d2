import { Injectable } from '@nestjs/common';
import { query, run, runForOne } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { ITEM_NAMES, type ItemCounts } from '../items/items.js';

/** Accounts of one lease that are counted as in progress; a lease is on less when it is acquired. */
const LEASED_MAX = 5_000;

/** A row of the totals, its counts as numbers. */
export interface TotalsRow extends ItemCounts {
  readonly as_of: Date;
  readonly pending: number;
  readonly in_progress: number;
  readonly imported: number;
  readonly failed: number;
  readonly loaded_accounts: number;
  readonly requests: number;
  readonly amount: string;
  readonly last_request_at: Date | null;
  readonly controlled: number;
  readonly differing: number;
  readonly controls_at: Date | null;
}

/** PostgreSQL sends a bigint as text; a float8 has every count up to 2^53. */
function counts(names: readonly string[]): string {
  return names.map((name) => `greatest(t.${name}, 0)::float8 AS ${name}`).join(', ');
}

/**
 * The accounts of a lease are looked up by their index. An account of an expired lease is not in progress. Counts of accounts with
 * control totals that are not stale are as good as new.
 */
const TOTALS = query<TotalsRow>(
  'accounts.totals',
  `SELECT coalesce(waiting.since, now()) AS as_of,
          greatest(greatest(t.pending, 0) - leased.count, 0)::float8 AS pending,
          least(greatest(t.pending, 0), leased.count)::float8 AS in_progress,
          ${counts(['imported', 'failed', 'loaded_accounts', 'requests', ...ITEM_NAMES])},
          coalesce(t.amount, 0.00)::text AS amount, t.last_request_at,
          coalesce(t.controlled, 0)::float8 AS controlled, coalesce(t.differing, 0)::float8 AS differing,
          CASE WHEN t.are_controls_stale THEN t.controls_as_of ELSE coalesce(waiting.since, now()) END AS controls_at
     FROM import_supplier s
     LEFT JOIN supplier_total t ON t.import_supplier_id = :import_supplier_id
    CROSS JOIN LATERAL (
      SELECT min(c.at) AS since FROM supplier_change c WHERE c.import_supplier_id = :import_supplier_id
    ) AS waiting
    CROSS JOIN LATERAL (
      SELECT count(*) AS count
        FROM import_lease lease
       CROSS JOIN LATERAL (
         SELECT
           FROM account_import a
          WHERE a.import_supplier_id = :import_supplier_id
            AND a.external_account_number BETWEEN lease.first_number AND lease.last_number
            AND a.status = 'pending'
          LIMIT ${LEASED_MAX}
       ) AS pending
       WHERE lease.import_supplier_id = :import_supplier_id AND lease.expires_at > clock_timestamp()
    ) AS leased
    WHERE s.id = :import_supplier_id`,
);

/** What was added in one minute, or in several that begin with it. */
export interface MinuteRow extends ItemCounts {
  readonly minute: Date;
  readonly requests: number;
  readonly imported: number;
  readonly failed: number;
}

const MINUTES = query<MinuteRow>(
  'accounts.minute_totals',
  `SELECT date_bin(make_interval(mins => :step_minutes::integer), m.minute, timestamptz 'epoch') AS minute,
          ${['requests', ...ITEM_NAMES, 'imported', 'failed'].map((name) => `sum(m.${name})::float8 AS ${name}`).join(', ')}
     FROM supplier_minute m
    WHERE m.import_supplier_id = :import_supplier_id AND m.minute >= :since::timestamptz
    GROUP BY 1
    ORDER BY 1`,
);

/** One supplier a query, which on several nodes reaches only the node of the supplier. */
@Injectable()
export class TotalsRepository {
  totals(tx: Tx, importSupplierId: number): Promise<TotalsRow> {
    return runForOne(tx, TOTALS, { import_supplier_id: importSupplierId });
  }

  /** In the order of time. */
  minutes(tx: Tx, importSupplierId: number, since: Date, stepMinutes: number): Promise<MinuteRow[]> {
    return run(tx, MINUTES, {
      import_supplier_id: importSupplierId,
      since: since.toISOString(),
      step_minutes: stepMinutes,
    });
  }
}
