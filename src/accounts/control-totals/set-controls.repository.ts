import { Injectable } from '@nestjs/common';
import type { ChangedAccount } from '../../infrastructure/audit/audit.types.js';
import { query, run } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import type { AccountRecord } from '../files/line-reading.js';
import { compared } from '../counts/account-counts.queries.js';
import { numbersOf, setControls } from './control-rows.js';

/** Locks the accounts, so that none is erased before its totals are set. */
const KNOWN = query<{ external_account_number: string }>(
  'accounts.lock_controlled',
  `SELECT a.external_account_number
     FROM account_import a
    WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = ANY (:numbers::text[])
    ORDER BY a.external_account_number
      FOR KEY SHARE`,
);

const COMPARED = compared('c');

const JUDGE = query<never>(
  'accounts.judge_controls',
  `UPDATE {account_control c}
      SET ${COMPARED.set}
    WHERE c.import_supplier_id = :import_supplier_id AND c.external_account_number = ANY (:numbers::text[])
      AND ${COMPARED.where} AND {held}`,
);

/**
 * What accounts must hold. Whether an imported account differs is judged by whoever sets its totals, and again whenever changes
 * of it are taken (capabilities/totals/carry-over.repository.ts). Both hold the lock of the supplier's totals, so each change is seen by one of
 * them.
 */
@Injectable()
export class SetControlsRepository {
  /** Those of the numbers that have an account; it cannot be erased before the end of the transaction. */
  async lockKnown(
    tx: Tx,
    importSupplierId: number,
    records: readonly AccountRecord[],
  ): Promise<ReadonlySet<string>> {
    const rows = await run(tx, KNOWN, { import_supplier_id: importSupplierId, numbers: numbersOf(records) });
    return new Set(rows.map(({ external_account_number }) => external_account_number));
  }

  /**
   * Set or remove the totals of any accounts, and judge them by the records of their requests.
   *
   * @param tx the transaction that holds the lock of the supplier's totals (TotalsService.keep)
   * @param records of accounts that exist
   * @returns those that were different, as they are recorded
   */
  async change(
    tx: Tx,
    importSupplierId: number,
    records: readonly AccountRecord[],
  ): Promise<ChangedAccount[]> {
    const changed = await setControls(tx, importSupplierId, records);
    const numbers = changed.map(({ external_account_number }) => external_account_number);
    if (numbers.length > 0) await run(tx, JUDGE, { import_supplier_id: importSupplierId, numbers });
    return changed;
  }
}
