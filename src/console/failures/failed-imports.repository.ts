import { Injectable } from '@nestjs/common';
import { query, run } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';
import {
  failureCause,
  FIRST_FAILED,
  LAST_CAUSE,
  type FailedAccountCursor,
} from '../../importing/failure-cause.js';
import {
  CAUSES_MAX,
  SAMPLES_MAX,
  type CauseRow,
  type FailedAccount,
  type FailureFilter,
  type FailureRecord,
} from './failures.types.js';

/** A failed account as it is downloaded. */
export type FailedImportRow = FailureRecord &
  FailedAccountCursor & { readonly failed_at: Date | null; readonly failure: string };

/** Everything comes from the index account_import_failure. */
const CAUSES = query<CauseRow>(
  'console.failure_groups',
  `WITH counted AS MATERIALIZED (
     SELECT ${failureCause('a')} AS cause, count(*)::integer AS count, min(a.failed_at) AS first_at,
            max(a.failed_at) AS last_at
       FROM {account_import a}
      WHERE a.import_supplier_id = :import_supplier_id
        AND a.status = 'failed'
        AND (:cause::text IS NULL OR ${failureCause('a')} = :cause)
      GROUP BY ${failureCause('a')}
   ),
   shown AS MATERIALIZED (
     SELECT c.*
       FROM counted c
      ORDER BY c.count DESC, c.cause
      LIMIT ${CAUSES_MAX}
   )
   SELECT shown.cause, shown.count, shown.first_at AS "firstAt", shown.last_at AS "lastAt", NULL AS refusal, NULL AS values,
          to_json(ARRAY(
            SELECT json_build_object('externalAccountNumber', a.external_account_number)
              FROM {account_import a}
             WHERE a.import_supplier_id = :import_supplier_id
               AND a.status = 'failed'
               AND ${failureCause('a')} = shown.cause
             ORDER BY a.external_account_number
             LIMIT ${SAMPLES_MAX}
          )) AS samples,
          (SELECT sum(c.count)::integer FROM counted c) AS "countOfAll",
          (SELECT count(*)::integer FROM counted c) AS "causeCount"
     FROM shown
    WHERE {placed}
    ORDER BY shown.count DESC, shown.cause`,
);

const ACCOUNTS = query<FailedImportRow>(
  'console.failed_accounts',
  `SELECT ${failureCause('a')} AS cause, a.external_account_number, a.failure, a.failed_at
     FROM {account_import a}
    WHERE a.import_supplier_id = :import_supplier_id
      AND a.status = 'failed'
      AND (${failureCause('a')}, a.external_account_number) >= (:from_cause, :from_number)
      AND ${failureCause('a')} <= :last_cause
      AND {placed}
    ORDER BY ${failureCause('a')}, a.external_account_number
    LIMIT :count_max::integer`,
);

/** Accounts whose import failed. */
@Injectable()
export class FailedImportsRepository {
  listCauses(tx: Tx, filter: FailureFilter): Promise<CauseRow[]> {
    return run(tx, CAUSES, { ...filter });
  }

  async listAccounts(
    tx: Tx,
    filter: FailureFilter,
    from: string,
    countMax: number,
  ): Promise<FailedAccount[]> {
    const rows = await list(
      tx,
      filter,
      { cause: filter.cause ?? '', external_account_number: from },
      countMax,
    );
    return rows.map(({ external_account_number, failed_at, failure }) => ({
      ...{ externalAccountNumber: external_account_number, failure },
      ...{ count: null, firstAt: null, lastAt: failed_at },
    }));
  }

  /** In the order of their causes and numbers. */
  listRecords(
    tx: Tx,
    filter: FailureFilter,
    after: FailedImportRow | undefined,
    countMax: number,
  ): Promise<FailedImportRow[]> {
    const first = { ...FIRST_FAILED, ...(filter.cause !== null && { cause: filter.cause }) };
    // The next number that is possible, in the order of bytes.
    const next = after && { ...after, external_account_number: `${after.external_account_number}\u0001` };
    return list(tx, filter, next ?? first, countMax);
  }
}

/** Failed accounts in the order of their causes and numbers. @param from the first one */
function list(
  tx: Tx,
  { import_supplier_id, cause }: FailureFilter,
  from: FailedAccountCursor,
  countMax: number,
): Promise<FailedImportRow[]> {
  return run(tx, ACCOUNTS, {
    ...{ import_supplier_id, last_cause: cause ?? LAST_CAUSE, count_max: countMax },
    ...{ from_cause: from.cause, from_number: from.external_account_number },
  });
}
