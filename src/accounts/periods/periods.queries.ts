import type { ChangedAccount } from '../../infrastructure/audit/audit.types.js';
import { query } from '../../infrastructure/database/query.js';

/** The open statement period of an account (choice S6). */
export interface Period {
  readonly open_statement_from: string;
  readonly open_statement_to: string | null;
}

/** A number that belongs to no imported account. */
interface UnknownAccount {
  readonly external_account_number: string;
  /** Whether it is staged. */
  readonly is_staged: boolean;
}

/** Locks an account, so that concurrent changes of its period run one after the other. */
export const LOCK = query<Partial<Period> & { status: string }>(
  'accounts.lock_period',
  `SELECT status, open_statement_from, open_statement_to
     FROM account_import
    WHERE import_supplier_id = :import_supplier_id AND external_account_number = :account_number
      FOR NO KEY UPDATE`,
);

/** SQL for a day of an account's new period. Days are counted from 2000-01-01, because casting text to a date is not immutable. */
const newDay = (position: 0 | 1): string =>
  `(date '2000-01-01' + (:periods::jsonb -> a.external_account_number -> ${position})::integer)`;

/**
 * Sets the periods of a batch that differ, and returns the accounts that changed, as the audit log records them. The new
 * periods are looked up in a JSON object: a join with a list would compare every account of the supplier with every line if
 * the planner expects few lines.
 */
export const SET = query<ChangedAccount>(
  'accounts.set_periods',
  `WITH changed AS (
     UPDATE account_import a
        SET open_statement_from = ${newDay(0)},
            open_statement_to = ${newDay(1)}
      WHERE a.import_supplier_id = :import_supplier_id
        AND a.external_account_number = ANY (:numbers::text[])
        AND a.status = 'imported'
        AND (a.open_statement_from, a.open_statement_to) IS DISTINCT FROM (${newDay(0)}, ${newDay(1)})
     RETURNING a.external_account_number, old.open_statement_from AS old_from, old.open_statement_to AS old_to,
               new.open_statement_from AS new_from, new.open_statement_to AS new_to
   )
   SELECT external_account_number, json_build_object('changed', array_remove(ARRAY[
            CASE WHEN old_from IS DISTINCT FROM new_from THEN 'open_statement_from' END,
            CASE WHEN old_to IS DISTINCT FROM new_to THEN 'open_statement_to' END], NULL))::text AS details
     FROM changed`,
);

/** The numbers in a batch that belong to no imported account. */
export const UNKNOWN = query<UnknownAccount>(
  'accounts.unknown_periods',
  `SELECT line.external_account_number, line.status IS NOT NULL AS is_staged
     FROM (SELECT l.external_account_number,
                  ( SELECT a.status
                      FROM account_import a
                     WHERE a.import_supplier_id = :import_supplier_id
                       AND a.external_account_number = l.external_account_number
                     LIMIT 1 ) AS status
             FROM unnest(:numbers::text[]) AS l (external_account_number)) AS line
    WHERE line.status IS DISTINCT FROM 'imported'
    ORDER BY line.external_account_number COLLATE "C"`,
);
