import { Injectable } from '@nestjs/common';
import { query, runForOne } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';

/** Accounts of one supplier in a batch: so few that the planner reads them in the order of their index and then stops. */
const OF_A_SUPPLIER_MAX = 100;
/** Accounts of one batch. */
const ACCOUNTS_MAX = 1_000;

/**
 * The oldest first, supplier by supplier, without those that another process has locked. The rows are found again by their
 * places, which are theirs while they are locked.
 */
const REMOVE = query<{ count: number }>(
  'accounts.remove_staged_objects',
  `WITH due AS MATERIALIZED (
     SELECT oldest.place
       FROM import_supplier s
      CROSS JOIN LATERAL (
              SELECT a.ctid AS place
                FROM account_import a
               WHERE a.import_supplier_id = s.id
                 AND a.account_created_at < now() - make_interval(days => :days::integer)
                 AND a.account IS NOT NULL
               ORDER BY a.account_created_at
               LIMIT ${OF_A_SUPPLIER_MAX}
                 FOR NO KEY UPDATE SKIP LOCKED
            ) AS oldest
      LIMIT ${ACCOUNTS_MAX}
   ),
   emptied AS (
     UPDATE account_import a
        SET account = NULL
      WHERE a.ctid = ANY (ARRAY(SELECT due.place FROM due))
     RETURNING a.external_account_number
   )
   SELECT count(*)::integer AS count FROM emptied`,
);

@Injectable()
export class StagedRetentionRepository {
  /**
   * Remove the staged objects of accounts that were imported more than so many days ago.
   *
   * @returns how many; 0 when none is left, but for those that another process is changing
   */
  async remove(tx: Tx, days: number): Promise<number> {
    return (await runForOne(tx, REMOVE, { days })).count;
  }
}
