import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../infrastructure/config/settings.js';
import { RetentionJob } from '../../infrastructure/jobs/retention-job.js';
import { query, runForOne } from '../../infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../../infrastructure/database/unit-of-work.js';

/** Accounts per batch: few enough that the planner reads them in the order of their index and then stops. */
const ACCOUNTS_MAX = 100;

/**
 * Removes the staged objects of accounts that were imported more than `days` days ago, and counts them. Oldest first,
 * without rows that another process has locked. Rows are addressed by ctid, which cannot change while they
 * are locked.
 */
const REMOVE = query<{ count: number }>(
  'accounts.remove_staged_objects',
  `WITH emptied AS (
     UPDATE account_import a
        SET account = NULL
      WHERE a.import_supplier_id = :import_supplier_id
        AND a.ctid = ANY (ARRAY(
              SELECT oldest.ctid
                FROM account_import oldest
               WHERE oldest.import_supplier_id = :import_supplier_id
                 AND oldest.account_created_at < now() - make_interval(days => :days::integer)
                 AND oldest.account IS NOT NULL
               ORDER BY oldest.account_created_at
               LIMIT ${ACCOUNTS_MAX}
                 FOR NO KEY UPDATE SKIP LOCKED
            ))
     RETURNING a.external_account_number
   )
   SELECT count(*)::integer AS count FROM emptied`,
);

/**
 * Removes an account's staged object RETENTION_STAGED_DAYS after the account was imported. The account itself stays.
 *
 * Source: choice S10.
 */
@Injectable()
export class StagedRetentionJob extends RetentionJob {
  protected readonly subject = 'staged objects of imported accounts';

  constructor(
    work: UnitOfWork,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {
    super(work);
  }

  protected async removeBatch(tx: Tx, importSupplierId: number): Promise<number> {
    const days = this.environment.RETENTION_STAGED_DAYS;
    if (days === undefined) return 0;
    return (await runForOne(tx, REMOVE, { import_supplier_id: importSupplierId, days })).count;
  }
}
