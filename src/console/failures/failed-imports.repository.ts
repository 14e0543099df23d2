import { Injectable } from '@nestjs/common';
import { query, run } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';
import { failureCause } from '../../importing/failure-cause.js';
import { countCauses, type CountedCause } from '../../sent-requests/counted-causes.js';

const causes = (column: string, cause: string, condition: string): string => `
   SELECT c.*
     FROM (${countCauses(
       column,
       cause,
       'failed_at',
       `{account_import a}
              WHERE a.import_supplier_id = :import_supplier_id AND a.status = 'failed'${condition}`,
     )}) AS c
    WHERE {placed}
    ORDER BY c.count DESC, c."lastAt" DESC, c.cause`;

const CAUSES = query<CountedCause>('console.failure_groups', causes('failure', failureCause('t'), ''));

/** Of a query for one or for all the planner would expect few failures. */
const CAUSE = query<CountedCause>(
  'console.failure_group',
  causes('status', ':cause::text', ` AND ${failureCause('a')} = :cause`),
);

/** Accounts whose import failed. */
@Injectable()
export class FailedImportsRepository {
  /**
   * The commonest causes first.
   *
   * @param cause one of them; null for all
   * @param steps when the steps of the period begin
   */
  listCauses(
    tx: Tx,
    importSupplierId: number,
    cause: string | null,
    steps: readonly Date[],
  ): Promise<CountedCause[]> {
    return run(tx, cause === null ? CAUSES : CAUSE, { import_supplier_id: importSupplierId, cause, steps });
  }
}
