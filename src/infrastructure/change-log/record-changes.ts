import { query, run } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { forEachItem, type ItemCounts } from '../item-names/item-names.js';
import type { ChangeType } from './change-types.js';

/** How many accounts change to or from a stored status; one that changes from one to another is in both. */
export interface StatusChange {
  readonly pending?: number;
  readonly imported?: number;
  readonly failed?: number;
}

/** How the rows of one account change. */
export interface RowsChange extends Partial<ItemCounts> {
  readonly external_account_number: string;
  /** Import requests. */
  readonly requests?: number;
  /** Of the notes, those that the service has pinned. */
  readonly pinned_notes?: number;
  /** Of the transactions, as a decimal. */
  readonly amount?: string;
}

/** What readers of the feed hear of. */
export interface HeardChange {
  readonly type: ChangeType;
  /** Of all but the status of the supplier. */
  readonly external_account_number?: string;
  /** The request that added items, or that was undone. */
  readonly import_request_id?: string;
  /** The new one of the supplier. */
  readonly status?: string;
}

export type Change = StatusChange | RowsChange | HeardChange | (RowsChange & HeardChange);

/** The columns of `supplier_change`, but for the supplier and the time, with their types. */
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
 * Record what changes a supplier's totals, numbers that are added to them, negative where something is removed, and what readers of
 * the feed hear of. Whatever stores or removes accounts, import requests or items does so, in the transaction of the rows; the query
 * of an import request has it as a part (ingest/import-record.ts).
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

/**
 * Record that something has changed which no total counts, such as control totals, so that the carry-over looks again. It waits for
 * nobody.
 */
export async function recordOtherChange(tx: Tx, importSupplierId: number): Promise<void> {
  await run(tx, RECORD, {
    import_supplier_id: importSupplierId,
    ...Object.fromEntries(NAMES.map((name) => [name, [null]])),
  });
}
