import { query } from '../../infrastructure/database/query.js';
import { compared } from '../counts/account-counts.queries.js';

/** Finds the accounts that exist, and locks them, so that none is erased before its control totals are set. */
export const LOCK = query<{ external_account_number: string }>(
  'accounts.lock_controlled',
  `SELECT a.external_account_number
     FROM account_import a
    WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = ANY (:numbers::text[])
    ORDER BY a.external_account_number
      FOR KEY SHARE`,
);

const STATE_UPDATE = compared('c');

/** Updates the states of accounts from the records of their requests. */
export const UPDATE_STATES = query<never>(
  'accounts.judge_controls',
  `UPDATE {account_control c}
      SET ${STATE_UPDATE.set}
    WHERE c.import_supplier_id = :import_supplier_id AND c.external_account_number = ANY (:numbers::text[])
      AND ${STATE_UPDATE.where} AND {held}`,
);
