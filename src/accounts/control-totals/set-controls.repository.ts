import { Injectable } from '@nestjs/common';
import type { ChangedAccount } from '../../infrastructure/audit/audit.types.js';
import { query, run } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import type { AccountRecord } from '../files/line-reading.js';
import { compared } from '../counts/account-counts.queries.js';
import { numbersOf, setControls } from './control-rows.js';

/** Locks the accounts, so that none is erased before its control totals are set. */
const LOCK = query<{ external_account_number: string }>(
  'accounts.lock_controlled',
  `SELECT a.external_account_number
     FROM account_import a
    WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = ANY (:numbers::text[])
    ORDER BY a.external_account_number
      FOR KEY SHARE`,
);

const STATE_UPDATE = compared('c');

const UPDATE_STATES = query<never>(
  'accounts.judge_controls',
  `UPDATE {account_control c}
      SET ${STATE_UPDATE.set}
    WHERE c.import_supplier_id = :import_supplier_id AND c.external_account_number = ANY (:numbers::text[])
      AND ${STATE_UPDATE.where} AND {held}`,
);

/**
 * Writes control totals. Two transactions compare an imported account with its totals: the one that sets the totals, and later
 * each one that carries over changes of the account (capabilities/totals/carry-over.repository.ts). Both hold the supplier's
 * totals lock, so one of them sees every change.
 */
@Injectable()
export class SetControlsRepository {
  /** Find the accounts that exist, and lock them so that none is erased before the end of the transaction. */
  async lockExisting(
    tx: Tx,
    importSupplierId: number,
    records: readonly AccountRecord[],
  ): Promise<ReadonlySet<string>> {
    const rows = await run(tx, LOCK, { import_supplier_id: importSupplierId, numbers: numbersOf(records) });
    return new Set(rows.map(({ external_account_number }) => external_account_number));
  }

  /**
   * Set or remove the control totals of any accounts, and update their states from the records of their requests.
   *
   * @param tx the transaction that holds the supplier's totals lock (TotalsService.keep)
   * @param records of accounts that exist
   * @returns the accounts that changed, as the audit log records them
   */
  async change(
    tx: Tx,
    importSupplierId: number,
    records: readonly AccountRecord[],
  ): Promise<ChangedAccount[]> {
    const changed = await setControls(tx, importSupplierId, records);
    const numbers = changed.map(({ external_account_number }) => external_account_number);
    if (numbers.length > 0) await run(tx, UPDATE_STATES, { import_supplier_id: importSupplierId, numbers });
    return changed;
  }
}
