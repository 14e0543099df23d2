import type { ChangedAccount } from '../../infrastructure/audit/audit.types.js';
import { query } from '../../infrastructure/database/query.js';
import { failureCause, type FailedAccountCursor } from './failure-cause.js';
import { endsOn, startsOn } from './importing.repository.js';
import type { RetryPreview } from './retry.types.js';

/** The next failed accounts after the cursor, up to and including a cause. */
export const NEXT_FAILED = query<FailedAccountCursor>(
  'accounts.next_failed',
  `SELECT ${failureCause('a')} AS cause, a.external_account_number
     FROM account_import a
    WHERE a.import_supplier_id = :import_supplier_id
      AND a.status = 'failed'
      AND (${failureCause('a')}, a.external_account_number) > (:after_cause, :after_number)
      AND ${failureCause('a')} <= :last_cause
    ORDER BY ${failureCause('a')}, a.external_account_number
    LIMIT :count_max::integer`,
);

/**
 * Sets failed accounts to pending, and returns those that changed with their failures, as the audit log records them.
 *
 * Rows are locked in the order of their numbers, as staging and importing do, so these never deadlock. If an account was staged
 * again or retried meanwhile, it is no longer failed when its lock is acquired, and it is left out.
 */
export const SET_PENDING = query<ChangedAccount>(
  'accounts.put_back',
  `WITH locked AS MATERIALIZED (
     SELECT a.external_account_number
       FROM account_import a
      WHERE a.import_supplier_id = :import_supplier_id
        AND a.external_account_number = ANY (:account_numbers::text[])
        AND a.status = 'failed'
      ORDER BY a.external_account_number
        FOR NO KEY UPDATE
   ),
   put_back AS (
     UPDATE account_import a
        SET status = 'pending', failure = NULL, failed_at = NULL
       FROM locked
      WHERE a.import_supplier_id = :import_supplier_id
        AND a.external_account_number = locked.external_account_number
     RETURNING a.external_account_number, old.failure, old.failed_at
   )
   SELECT external_account_number, json_build_object('failure', failure, 'failed_at', failed_at)::text AS details
     FROM put_back`,
);

/** A preview of a retry of the first failed accounts of a cause. An import would use the day `:today`. */
export const PREVIEW = query<RetryPreview>(
  'accounts.preview_retry_of_cause',
  `SELECT count(*)::integer AS failed, count(*) FILTER (WHERE f.is_importable)::integer AS importable
     FROM (SELECT ${startsOn('a')} <= ${endsOn('a')} AS is_importable
             FROM account_import a
            WHERE a.import_supplier_id = :import_supplier_id AND a.status = 'failed' AND ${failureCause('a')} = :cause
            LIMIT :count_max::integer) AS f`,
);
