import { Injectable } from '@nestjs/common';
import { failureCause, type FailedAccountCursor } from '../../importing/failure-cause.js';
import { query, run } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';

/** Groups and accounts that a page shows at most. */
const GROUPS_MAX = 100;
const SAMPLES_MAX = 5;

export interface FailureGroupRow {
  readonly cause: string;
  readonly count: number;
  readonly first_at: Date | null;
  readonly last_at: Date | null;
  readonly samples: readonly string[];
  /** Of all groups. */
  readonly count_of_all: number;
  readonly group_count: number;
}

export interface FailedAccountRow extends FailedAccountCursor {
  readonly failure: string;
  readonly failed_at: Date | null;
}

/** Everything comes from the index account_import_failure. */
const GROUPS = query<FailureGroupRow>(
  'console.failure_groups',
  `WITH counted AS MATERIALIZED (
     SELECT ${failureCause('a')} AS cause, count(*)::integer AS count, min(a.failed_at) AS first_at,
            max(a.failed_at) AS last_at
       FROM account_import a
      WHERE a.import_supplier_id = :import_supplier_id
        AND a.status = 'failed'
        AND (:cause::text IS NULL OR ${failureCause('a')} = :cause)
      GROUP BY ${failureCause('a')}
   ),
   shown AS MATERIALIZED (
     SELECT c.*
       FROM counted c
      ORDER BY c.count DESC, c.cause
      LIMIT ${GROUPS_MAX}
   )
   SELECT shown.*, ARRAY(
            SELECT a.external_account_number
              FROM account_import a
             WHERE a.import_supplier_id = :import_supplier_id
               AND a.status = 'failed'
               AND ${failureCause('a')} = shown.cause
             ORDER BY a.external_account_number
             LIMIT ${SAMPLES_MAX}
          ) AS samples,
          (SELECT sum(c.count)::integer FROM counted c) AS count_of_all,
          (SELECT count(*)::integer FROM counted c) AS group_count
     FROM shown
    ORDER BY shown.count DESC, shown.cause`,
);

const ACCOUNTS = query<FailedAccountRow>(
  'console.failed_accounts',
  `SELECT ${failureCause('a')} AS cause, a.external_account_number, a.failure, a.failed_at
     FROM account_import a
    WHERE a.import_supplier_id = :import_supplier_id
      AND a.status = 'failed'
      AND (${failureCause('a')}, a.external_account_number) >= (:from_cause, :from_number)
      AND ${failureCause('a')} <= :last_cause
    ORDER BY ${failureCause('a')}, a.external_account_number
    LIMIT :count_max::integer`,
);

@Injectable()
export class FailedImportsRepository {
  /** The largest groups first. @param cause one group; undefined for all */
  listGroups(tx: Tx, importSupplierId: number, cause: string | undefined): Promise<FailureGroupRow[]> {
    return run(tx, GROUPS, { import_supplier_id: importSupplierId, cause: cause ?? null });
  }

  /** Failed accounts in the order of their causes and numbers. @param from the first one */
  listAccounts(
    tx: Tx,
    importSupplierId: number,
    from: FailedAccountCursor,
    lastCause: string,
    countMax: number,
  ): Promise<FailedAccountRow[]> {
    return run(tx, ACCOUNTS, {
      import_supplier_id: importSupplierId,
      from_cause: from.cause,
      from_number: from.external_account_number,
      last_cause: lastCause,
      count_max: countMax,
    });
  }
}
