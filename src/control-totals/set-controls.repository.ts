import { Injectable } from '@nestjs/common';
import type { ChangedAccount } from '../audit/audit.types.js';
import { query, run } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type { AccountRecord } from '../account-files/line-reading.js';
import { ITEM_NAMES, ITEMS } from '../items/items.js';
import { CONTROL_NAMES, judged } from '../totals/account-counts.queries.js';
import { recordOtherChange } from '../changes/record-changes.js';
import { CONTROL_COLUMN_LIST, CONTROL_LINES, controlColumns, numbersOf } from './control-rows.js';

const valuesIn = (alias: string): string => `(${CONTROL_NAMES.map((name) => `${alias}.${name}`).join(', ')})`;

/** Locks the accounts, so that none is erased before its totals are set. */
const KNOWN = query<{ external_account_number: string }>(
  'accounts.lock_controlled',
  `SELECT a.external_account_number
     FROM account_import a
    WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = ANY (:numbers::text[])
    ORDER BY a.external_account_number
      FOR KEY SHARE`,
);

/** What is removed or set, from which its record is made outside of the change: Citus makes no JSON in it. */
const returned = (version: 'old' | 'new', prefix: string): string =>
  CONTROL_NAMES.map((name) => `${version}.${name} AS ${prefix}_${name}`).join(', ');

/** As it is recorded: the numbers of items, and not the amount, which would outlive the customer's erasure. */
const recorded = (prefix: string): string =>
  `json_strip_nulls(json_build_object(${ITEM_NAMES.map((name) => `'${ITEMS[name].section}', ${prefix}_${name}`).join(', ')}))`;

const details = (to: string, amountAfter: string): string =>
  `json_build_object('from', ${recorded('old')}, 'to', ${to},
                      'is_amount_changed', old_amount IS DISTINCT FROM ${amountAfter})::text AS details`;

const CHANGE = query<ChangedAccount>(
  'accounts.change_controls',
  `WITH changed AS (
     INSERT INTO account_control AS c (import_supplier_id, external_account_number, ${CONTROL_COLUMN_LIST}, state)
     SELECT :import_supplier_id, l.*
       FROM ${CONTROL_LINES}
         ON CONFLICT (import_supplier_id, external_account_number) DO UPDATE
        SET ${CONTROL_NAMES.map((name) => `${name} = excluded.${name}`).join(', ')}
      WHERE ${valuesIn('c')} IS DISTINCT FROM ${valuesIn('excluded')}
     RETURNING new.external_account_number, ${returned('old', 'old')}, ${returned('new', 'new')}
   )
   SELECT external_account_number, ${details(recorded('new'), 'new_amount')} FROM changed`,
);

const WITHDRAW = query<ChangedAccount>(
  'accounts.withdraw_controls',
  `WITH removed AS (
     DELETE FROM account_control
      WHERE import_supplier_id = :import_supplier_id AND external_account_number = ANY (:numbers::text[])
     RETURNING old.external_account_number, ${returned('old', 'old')}
   )
   SELECT external_account_number, ${details("'{}'::json", 'NULL')} FROM removed`,
);

const JUDGED = judged('c');

const JUDGE = query<never>(
  'accounts.judge_controls',
  `UPDATE {account_control c}
      SET ${JUDGED.set}
    WHERE c.import_supplier_id = :import_supplier_id AND c.external_account_number = ANY (:numbers::text[])
      AND ${JUDGED.where} AND {held}`,
);

/**
 * What accounts must hold. Whether an imported account differs is judged by whoever sets its totals, and again whenever changes
 * of it are taken (totals/carry-over.repository.ts). Both hold the lock of the supplier's totals, so each change is seen by one of
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
    const key = { import_supplier_id: importSupplierId };
    const withdrawn = records.filter(({ control }) => !control);
    const given = records.filter(({ control }) => control);
    const removed =
      withdrawn.length > 0 ? await run(tx, WITHDRAW, { ...key, numbers: numbersOf(withdrawn) }) : [];
    const changed = given.length > 0 ? await run(tx, CHANGE, { ...key, ...controlColumns(given) }) : [];
    if (changed.length > 0) {
      const numbers = changed.map(({ external_account_number }) => external_account_number);
      await run(tx, JUDGE, { ...key, numbers });
    }
    if (removed.length + changed.length > 0) await recordOtherChange(tx, importSupplierId);
    return [...removed, ...changed];
  }
}
