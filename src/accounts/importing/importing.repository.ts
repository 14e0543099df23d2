import { Injectable } from '@nestjs/common';
import { run, runForOne, query } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';

/** A stretch of account numbers that one importer has to itself, both ends included. */
export interface Claim {
  readonly id: string;
  readonly firstNumber: string;
  readonly lastNumber: string;
  /** Pending accounts in it when it was claimed. */
  readonly size: number;
}

/** A claim counts for this long. A stretch takes a fraction of a second to import. */
export const CLAIM_SECONDS = 30;

const FORGET_EXPIRED = query<never>(
  'accounts.forget_expired_claims',
  `DELETE FROM import_lease WHERE import_supplier_id = $1 AND expires_at <= clock_timestamp()`,
);

/**
 * Claim the next stretch behind a number. It begins with the first pending account that nobody has claimed, and ends
 * before the next claim begins, so claims never overlap.
 */
const CLAIM = query<{ id: string; first_number: string; last_number: string; size: number }>(
  'accounts.claim',
  `WITH beginning AS (
     SELECT a.external_account_number AS number
       FROM account_import a
      WHERE a.import_supplier_id = $1
        AND a.status = 'pending'
        AND a.external_account_number > $2
        AND NOT EXISTS (
          SELECT FROM import_lease c
           WHERE c.import_supplier_id = $1
             AND a.external_account_number BETWEEN c.first_number AND c.last_number
        )
      ORDER BY a.external_account_number
      LIMIT 1
   ),
   stretch AS (
     SELECT a.external_account_number AS number
       FROM account_import a
      WHERE a.import_supplier_id = $1
        AND a.status = 'pending'
        AND a.external_account_number >= (SELECT number FROM beginning)
        AND a.external_account_number < ALL (
          SELECT c.first_number
            FROM import_lease c
           WHERE c.import_supplier_id = $1 AND c.first_number > (SELECT number FROM beginning)
        )
      ORDER BY a.external_account_number
      LIMIT $3
   ),
   claimed AS (
     SELECT min(number) AS first_number, max(number) AS last_number, count(*)::integer AS size FROM stretch
   ),
   claim AS (
     INSERT INTO import_lease (import_supplier_id, first_number, last_number, held_by, expires_at)
     SELECT $1, first_number, last_number, $4, clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})
       FROM claimed
      WHERE size > 0
     RETURNING id
   )
   SELECT claim.id, claimed.first_number, claimed.last_number, claimed.size FROM claim, claimed`,
);

/**
 * Import a claimed stretch and give the claim back, in one statement.
 *
 * The claim's row is the licence: whoever deletes it may import, and it can be deleted only once. When its time was over
 * and another importer has swept it away, nothing happens here. Beyond that only pending accounts are touched, and a row
 * that somebody else changed in the meantime is looked at again before it is; so no account is imported twice.
 */
const IMPORT = query<{ imported: number; failed: number }>(
  'accounts.import',
  `WITH claim AS (
     DELETE FROM import_lease WHERE import_supplier_id = $1 AND id = $2 RETURNING id
   ),
   done AS (
     UPDATE account_import a
        SET (status, service_account_number, account_created_at, open_statement_from, failure, failed_at) = (
          SELECT CASE WHEN period.is_right THEN 'imported' ELSE 'failed' END,
                 CASE WHEN period.is_right THEN next_service_account_number() END,
                 CASE WHEN period.is_right THEN now() END,
                 CASE WHEN period.is_right THEN period.starts_on ELSE a.open_statement_from END,
                 CASE WHEN NOT period.is_right THEN
                   format('The open statement period would begin on %s and end on %s, before it begins.',
                          period.starts_on, period.ends_on)
                 END,
                 CASE WHEN NOT period.is_right THEN now() END
            FROM (SELECT s.starts_on, s.ends_on, s.starts_on <= s.ends_on AS is_right
                    FROM (SELECT coalesce(a.open_statement_from, $5::date) AS starts_on,
                                 coalesce(a.open_statement_to, $5::date) AS ends_on) AS s) AS period
        )
       FROM claim, import_supplier s
      WHERE s.id = $1
        AND s.status = 'ongoing'
        AND a.import_supplier_id = $1
        AND a.external_account_number BETWEEN $3 AND $4
        AND a.status = 'pending'
     RETURNING a.status
   )
   SELECT count(*) FILTER (WHERE status = 'imported')::integer AS imported,
          count(*) FILTER (WHERE status = 'failed')::integer AS failed
     FROM done`,
);

const ARE_OTHERS_BUSY = query<{ are_busy: boolean }>(
  'accounts.are_others_busy',
  `SELECT EXISTS (
     SELECT FROM import_lease c
      WHERE c.import_supplier_id = $1
        AND EXISTS (
          SELECT FROM account_import a
           WHERE a.import_supplier_id = $1
             AND a.status = 'pending'
             AND a.external_account_number BETWEEN c.first_number AND c.last_number
        )
   ) AS are_busy`,
);

const COUNT_PENDING = query<{ pending: number }>(
  'accounts.count_pending',
  `SELECT count(*)::integer AS pending FROM account_import WHERE import_supplier_id = $1 AND status = 'pending'`,
);

@Injectable()
export class ImportingRepository {
  /** Sweep away claims whose time is over: their importers died, or are so late that they may not go on. */
  async forgetExpiredClaims(tx: Tx, importSupplierId: number): Promise<void> {
    await run(tx, FORGET_EXPIRED, [importSupplierId]);
  }

  /**
   * @param after number behind which to look, `''` for the beginning
   * @param claimedBy who it is, for an operator who looks into the table
   * @returns nothing when every pending account behind it is claimed
   */
  async claim(
    tx: Tx,
    importSupplierId: number,
    after: string,
    sizeMax: number,
    claimedBy: string,
  ): Promise<Claim | undefined> {
    const [row] = await run(tx, CLAIM, [importSupplierId, after, sizeMax, claimedBy]);
    return row && { id: row.id, firstNumber: row.first_number, lastNumber: row.last_number, size: row.size };
  }

  /**
   * Import what is pending in a claimed stretch, if the claim still counts and the supplier is ongoing.
   *
   * @param today calendar day in the platform's time zone (contract S6)
   */
  import(
    tx: Tx,
    importSupplierId: number,
    { id, firstNumber, lastNumber }: Claim,
    today: string,
  ): Promise<{ imported: number; failed: number }> {
    return runForOne(tx, IMPORT, [importSupplierId, id, firstNumber, lastNumber, today]);
  }

  /** Whether pending accounts lie in somebody's claim. */
  async areOthersBusy(tx: Tx, importSupplierId: number): Promise<boolean> {
    const { are_busy } = await runForOne(tx, ARE_OTHERS_BUSY, [importSupplierId]);
    return are_busy;
  }

  async countPending(tx: Tx, importSupplierId: number): Promise<number> {
    const { pending } = await runForOne(tx, COUNT_PENDING, [importSupplierId]);
    return pending;
  }
}
