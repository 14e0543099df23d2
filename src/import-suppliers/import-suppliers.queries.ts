import { query } from '../infrastructure/database/query.js';
import type { ImportSupplier } from './import-supplier.entity.js';

/** What an operator may change about a supplier. */
export type SupplierSettings = Pick<
  ImportSupplier,
  'status' | 'documentRoot' | 'documentCheck' | 'customerEmails'
>;

export const LOCK_MODES = { change: 'for_no_key_update', keep: 'pessimistic_read' } as const;

/**
 * Locks of a supplier, which let imports go on. With `keep` a transaction relies on the settings as they are: such transactions do
 * not wait for one another. With `change` they wait.
 */
export type SupplierLock = keyof typeof LOCK_MODES;

/** A transaction that waits for the lock of a row has this one until it gets the other; not known on several nodes. */
export const IS_CHANGE_WAITING = query<{ is_waiting: boolean }>(
  'suppliers.is_change_waiting',
  `SELECT EXISTS (
            SELECT
              FROM pg_locks
             WHERE locktype = 'tuple'
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
               AND relation = 'import_supplier'::regclass::oid
               AND granted
          ) AS is_waiting`,
);
