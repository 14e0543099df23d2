import { query } from '../infrastructure/database/query.js';
import type { ImportSupplier } from './import-supplier.entity.js';

/** The settings of a supplier that an operator may change. */
export type SupplierSettings = Pick<
  ImportSupplier,
  'name' | 'status' | 'documentRoot' | 'documentCheck' | 'customerEmails' | 'cutOver' | 'quietAfter'
>;

export const LOCK_MODES = { change: 'for_no_key_update', keep: 'pessimistic_read' } as const;

/**
 * Locks on a supplier, which do not block imports. A transaction uses `keep` if it relies on the current settings; such transactions
 * do not wait for one another. Transactions with `change` wait for one another and for those with `keep`.
 */
export type SupplierLock = keyof typeof LOCK_MODES;

/** Runs each second for the open answers of an organisation. */
export const IS_GRANTED = query<{ is_granted: boolean }>(
  'suppliers.is_granted',
  `SELECT EXISTS (
            SELECT FROM import_supplier s JOIN import_supplier_grant g ON g.import_supplier_id = s.id
             WHERE s.code = :code AND g.organisation_id = :organisation_id) AS is_granted`,
);

/** A transaction waiting for a row lock holds a tuple lock until it gets the row lock. Locks on other nodes are not visible here. */
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
