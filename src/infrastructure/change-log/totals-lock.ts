import { query, run } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';

const CREATE = query<{ id: number }>(
  'accounts.create_totals',
  `INSERT INTO {supplier_total} (import_supplier_id) SELECT :import_supplier_id WHERE {held} ON CONFLICT DO NOTHING
   RETURNING import_supplier_id AS id`,
);

const FIND = query<{ id: number }>(
  'accounts.find_totals',
  `SELECT t.import_supplier_id AS id FROM {supplier_total t} WHERE t.import_supplier_id = :import_supplier_id`,
);

const LOCK = query<{ id: number }>(
  'accounts.lock_totals',
  `SELECT t.import_supplier_id AS id FROM {supplier_total t} WHERE t.import_supplier_id = :import_supplier_id AND {held} FOR UPDATE`,
);

const TRY_LOCK = query<{ id: number }>(
  'accounts.try_lock_totals',
  `SELECT t.import_supplier_id AS id FROM {supplier_total t} WHERE t.import_supplier_id = :import_supplier_id AND {held} FOR UPDATE SKIP LOCKED`,
);

/**
 * Lock the totals of a supplier until the end of the transaction. Where both are locked, the totals come before the feed. While
 * the lock is held, no changes are carried over, and control totals and the states derived from them do not change. Requests
 * continue.
 *
 * @param canWait whether to wait for another transaction that holds the lock
 * @returns false if another transaction holds the lock and this one did not wait
 * Source: choices O10, V6; decisions 14 and 16 (docs/decisions/).
 */
export async function lockTotals(tx: Tx, importSupplierId: number, canWait: boolean): Promise<boolean> {
  const hasRow = async (statement: typeof LOCK): Promise<boolean> =>
    (await run(tx, statement, { import_supplier_id: importSupplierId })).length > 0;
  if (await hasRow(canWait ? LOCK : TRY_LOCK)) return true;
  // An insert next to a row that another transaction has changed would wait for that transaction.
  if (await hasRow(FIND)) return canWait && hasRow(LOCK);
  return (await hasRow(CREATE)) || (canWait && hasRow(LOCK));
}
