import { Injectable } from '@nestjs/common';
import { isNotBeingErased } from '../../infrastructure/database/not-being-erased.js';
import { query, run, type Query } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import type { StoredRequest } from '../request-log/requests/stored-requests.types.js';
import { forEachItem, type ImportKind, type ItemName } from '../../infrastructure/item-names/item-names.js';
import { ITEMS } from '../../ingest/kinds/items.js';

/** An import request that a transaction has marked as undone. */
export interface MarkedRequest {
  readonly external_account_number: string;
  readonly id: string;
  readonly kind: ImportKind;
  readonly pinned_notes: number;
}

/**
 * The records are locked in the order of their key, so that each request is marked by only one of several concurrent undos.
 * An account that is being erased is left to its erasure. An erasure that begins later waits for this transaction, which
 * has locked `import_request` for writing before it looks.
 */
const MARK = query<MarkedRequest>(
  'imports.mark_undone',
  `WITH locked AS MATERIALIZED (
     SELECT r.external_account_number, r.id
       FROM unnest(:account_numbers::text[], :import_request_ids::uuid[]) AS wanted (account_number, id)
       JOIN {import_request r}
         ON r.import_supplier_id = :import_supplier_id AND r.external_account_number = wanted.account_number AND r.id = wanted.id
      WHERE r.undone_at IS NULL AND ${isNotBeingErased('r')}
      ORDER BY r.external_account_number, r.id
        FOR UPDATE OF r
   )
   UPDATE {import_request r}
      SET undone_at = now(), has_unseen_documents = NULL
     FROM locked
    WHERE r.import_supplier_id = :import_supplier_id
      AND r.external_account_number = locked.external_account_number
      AND r.id = locked.id
      AND {held}
   RETURNING r.external_account_number, r.id, r.kind, r.pinned_notes`,
);

/** The rows of one account that were removed. */
export interface RemovedRows {
  readonly external_account_number: string;
  readonly removed: number;
  /** The negated sum of its transactions; null for other kinds. */
  readonly amount: string | null;
}

/** Reads all rows of the accounts, because no index covers the requests. An index would slow down every import. */
function removal(kind: ItemName): Query<RemovedRows> {
  const isOfTransactions = kind === 'transactions';
  return query<RemovedRows>(
    `imports.remove_${kind}`,
    `WITH removed AS (
     DELETE FROM {${ITEMS[kind].table} item}
      WHERE item.import_supplier_id = :import_supplier_id
        AND item.external_account_number = ANY (:account_numbers::text[])
        AND item.import_request_id = ANY (:import_request_ids::uuid[])
     RETURNING item.external_account_number${isOfTransactions ? ', item.amount' : ''}
   )
   SELECT removed.external_account_number, count(*)::integer AS removed,
          ${isOfTransactions ? '(-sum(removed.amount))::text' : 'NULL'} AS amount
     FROM removed
    WHERE {held}
    GROUP BY removed.external_account_number`,
  );
}

/** Among notes with equal content whose first note was removed, the earliest becomes the first (`note.key_time`). */
const NAME_FIRST_NOTES = query<never>(
  'imports.name_first_notes',
  `UPDATE {note item}
      SET key_time = '-infinity'
    WHERE item.import_supplier_id = :import_supplier_id
      AND item.external_account_number = ANY (:account_numbers::text[])
      AND item.key_time > '-infinity'
      AND (SELECT 1
             FROM {note earlier}
            WHERE earlier.import_supplier_id = :import_supplier_id
              AND earlier.external_account_number = item.external_account_number
              AND earlier.content_hash = item.content_hash
              AND earlier.key_time < item.key_time
            LIMIT 1) IS NULL
      AND {held}`,
);

const REMOVALS = forEachItem(removal);

/** The rows that import requests have stored. */
@Injectable()
export class UndoRepository {
  /** Mark requests as undone. @returns those that were not undone before, without those of accounts that are being erased */
  mark(tx: Tx, importSupplierId: number, requests: readonly StoredRequest[]): Promise<MarkedRequest[]> {
    return run(tx, MARK, {
      import_supplier_id: importSupplierId,
      account_numbers: requests.map(({ external_account_number }) => external_account_number),
      import_request_ids: requests.map(({ id }) => id),
    });
  }

  /** Remove the rows of one kind that requests have stored. @param requests as {@link mark} returned them */
  async remove(
    tx: Tx,
    importSupplierId: number,
    kind: ItemName,
    requests: readonly MarkedRequest[],
  ): Promise<RemovedRows[]> {
    if (requests.length === 0) return [];
    const numbers = new Set(requests.map(({ external_account_number }) => external_account_number));
    const accounts = { import_supplier_id: importSupplierId, account_numbers: [...numbers] };
    const ids = requests.map(({ id }) => id);
    const removed = await run(tx, REMOVALS[kind], { ...accounts, import_request_ids: ids });
    if (kind === 'notes') await run(tx, NAME_FIRST_NOTES, accounts);
    return removed;
  }
}
