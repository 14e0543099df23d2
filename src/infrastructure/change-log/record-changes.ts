import { query, run } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { forEachItem, type ItemCounts } from '../item-names/item-names.js';
import type { ChangeType } from './change-types.js';

/** By how many accounts the count of each stored status changes. An account that moves between two statuses is in both. */
export interface StatusChange {
  readonly pending?: number;
  readonly imported?: number;
  readonly failed?: number;
}

/** How the row counts of one account change. */
export interface RowsChange extends Partial<ItemCounts> {
  readonly external_account_number: string;
  /** Number of import requests. */
  readonly requests?: number;
  /** The notes that the service pinned. */
  readonly pinned_notes?: number;
  /** Sum of the amounts of the transactions, a decimal. */
  readonly amount?: string;
}

/** A change that the feed shows. */
export interface HeardChange {
  readonly type: ChangeType;
  /** For every type except `supplier.status_changed`. */
  readonly external_account_number?: string;
  /** The request that added items or was undone. */
  readonly import_request_id?: string;
  /** The supplier's new status. */
  readonly status?: string;
}

export type Change = StatusChange | RowsChange | HeardChange | (RowsChange & HeardChange);

/** The columns of `supplier_change` except supplier and time, with their types. */
const COLUMNS: Readonly<Record<keyof StatusChange | keyof RowsChange | keyof HeardChange, string>> = {
  external_account_number: 'text',
  requests: 'integer',
  ...forEachItem(() => 'integer'),
  pinned_notes: 'integer',
  amount: 'numeric',
  pending: 'integer',
  imported: 'integer',
  failed: 'integer',
  type: 'text',
  import_request_id: 'uuid',
  status: 'text',
};
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

const RECORD = query<never>(
  'changes.record',
  `INSERT INTO supplier_change (import_supplier_id, ${NAMES.join(', ')})
   SELECT :import_supplier_id, ${NAMES.map((name) => `c.${name}`).join(', ')}
     FROM unnest(${NAMES.map((name) => `:${name}::${COLUMNS[name]}[]`).join(', ')}) AS c (${NAMES.join(', ')})`,
);

/**
 * Record changes for two readers: the supplier's totals, as numbers to add to them (negative if something is removed), and the
 * feed. All code that stores or removes accounts, import requests or items calls this in the transaction of the rows. Only the
 * query of an import request does it itself (ingest/import-record.ts).
 *
 * Source: choices O10, E2; decisions 14 and 19 (docs/decisions/).
 */
export async function recordChanges(
  tx: Tx,
  importSupplierId: number,
  changes: readonly Change[],
): Promise<void> {
  const rows: readonly Partial<StatusChange & RowsChange & HeardChange>[] = changes.filter(isChange);
  if (rows.length === 0) return;
  await run(tx, RECORD, {
    import_supplier_id: importSupplierId,
    ...Object.fromEntries(NAMES.map((name) => [name, rows.map((change) => change[name] ?? null)])),
  });
}

function isChange(change: Change): boolean {
  return (
    'type' in change ||
    Object.entries(change).some(([name, value]) => name !== 'external_account_number' && Number(value) !== 0)
  );
}

/** Record a change that no total counts, such as control totals, so that the carry-over compares again. It waits for no lock. */
export async function recordOtherChange(tx: Tx, importSupplierId: number): Promise<void> {
  await run(tx, RECORD, {
    import_supplier_id: importSupplierId,
    ...Object.fromEntries(NAMES.map((name) => [name, [null]])),
  });
}
