import { Injectable } from '@nestjs/common';
import { query, run } from '../../../infrastructure/database/query.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import { failureCause } from '../../../accounts/importing/failure-cause.js';
import { countCauses, type CountedCause } from '../../../capabilities/request-log/requests/counted-causes.js';

/**
 * With a given cause, all causes are counted first and then filtered, because testing whether a failure has the cause takes
 * as long as working its cause out.
 */
const CAUSES = query<CountedCause>(
  'console.failure_groups',
  `SELECT c.*
     FROM (${countCauses(
       'failure',
       failureCause('t'),
       'failed_at',
       `{account_import a}
              WHERE a.import_supplier_id = :import_supplier_id AND a.status = 'failed'`,
       ':cause::text IS NULL OR u.cause = :cause',
     )}) AS c
    ORDER BY c.count DESC, c."lastAt" DESC, c.cause`,
);

/** Accounts whose import failed. */
@Injectable()
export class FailedImportsRepository {
  /**
   * The causes, the most frequent first.
   *
   * @param cause a single cause; null for all
   * @param steps when the steps of the period begin
   */
  listCauses(
    tx: Tx,
    importSupplierId: number,
    cause: string | null,
    steps: readonly Date[],
  ): Promise<CountedCause[]> {
    return run(tx, CAUSES, { import_supplier_id: importSupplierId, cause, steps });
  }
}
