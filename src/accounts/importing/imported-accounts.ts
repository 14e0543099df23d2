import { isOnSeveralNodes } from '../../infrastructure/database/citus/database-kind.js';
import { query, run, type QueryParameters } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';

/*
 * The table `imported_account`, which a distributed database has instead of triggers (infrastructure/database/citus/promises.ts),
 * and the account numbers that only its coordinator can draw.
 */

/**
 * The pending accounts of a leased chunk, locked until the end of the transaction. If an account is staged again while its number
 * is being erased, it stays pending until the erasure is complete.
 */
const LOCK_PENDING = query<{ external_account_number: string; is_erasing: boolean }>(
  'accounts.lock_pending',
  `SELECT a.external_account_number,
          EXISTS (
            SELECT FROM imported_account i
             WHERE i.import_supplier_id = :import_supplier_id AND i.external_account_number = a.external_account_number
          ) AS is_erasing
     FROM account_import a
    WHERE a.import_supplier_id = :import_supplier_id
      AND a.external_account_number BETWEEN :first_number AND :last_number
      AND a.status = 'pending'
    ORDER BY a.external_account_number
      FOR NO KEY UPDATE`,
);

/** The sequence is only on the coordinator, so that each number is drawn once. */
const DRAW_NUMBERS = query<{ number: string }>(
  'accounts.draw_numbers',
  `SELECT next_service_account_number() AS number FROM generate_series(1, :count::integer)`,
);

/** The rows that foreign keys of the accounts' items refer to. */
const INSERT_IMPORTED = query<never>(
  'accounts.note_imported',
  `INSERT INTO imported_account (import_supplier_id, external_account_number, service_account_number)
   SELECT :import_supplier_id, account_number, number
     FROM unnest(:account_numbers::text[], :numbers::text[]) AS imported (account_number, number)`,
);

const MARK_CLOSED = query<never>(
  'accounts.mark_closed_for_erasure',
  `UPDATE imported_account
      SET service_account_number = NULL, erasure_id = :erasure_id
    WHERE import_supplier_id = :import_supplier_id AND external_account_number = ANY (:account_numbers::text[])`,
);

const RELEASE_MARKS = query<never>(
  'accounts.release_erased_accounts',
  `DELETE FROM imported_account
    WHERE import_supplier_id = :import_supplier_id AND external_account_number = ANY (:account_numbers::text[])
      AND erasure_id = :erasure_id`,
);

/** An account of a chunk. If its import failed, it has no platform number. */
export interface ImportedAccount {
  readonly external_account_number: string;
  readonly service_account_number: string | null;
}

/**
 * Import the accounts of a leased chunk on a distributed database. The node that holds the accounts cannot draw their numbers, so
 * this takes several queries.
 *
 * @param parameters the supplier and the chunk
 * @param importThem imports accounts under the given numbers
 */
export async function importWithDrawnNumbers(
  tx: Tx,
  parameters: QueryParameters,
  importNumbered: (accounts: QueryParameters) => Promise<readonly ImportedAccount[]>,
): Promise<{ done: readonly ImportedAccount[]; erasing: readonly string[] }> {
  const locked = await run(tx, LOCK_PENDING, parameters);
  const pending = locked.filter(({ is_erasing }) => !is_erasing);
  const drawn = await run(tx, DRAW_NUMBERS, { count: pending.length });
  const done = await importNumbered({
    account_numbers: pending.map(({ external_account_number }) => external_account_number),
    numbers: drawn.map(({ number }) => number),
  });
  const imported = done.filter(({ service_account_number }) => service_account_number !== null);
  await run(tx, INSERT_IMPORTED, {
    ...parameters,
    account_numbers: imported.map(({ external_account_number }) => external_account_number),
    numbers: imported.map(({ service_account_number }) => service_account_number),
  });
  return {
    done,
    erasing: locked.filter(({ is_erasing }) => is_erasing).map((account) => account.external_account_number),
  };
}

/**
 * Mark accounts that an erasure deletes. The account itself can be deleted from now on; its remaining rows keep it from being
 * imported again. On a single server this does nothing.
 *
 * @param parameters the erasure and the accounts
 */
export async function markClosed(tx: Tx, parameters: QueryParameters): Promise<void> {
  if (isOnSeveralNodes(tx)) await run(tx, MARK_CLOSED, parameters);
}

/**
 * Remove the marks of accounts whose rows are gone. This waits for requests that are adding a row, and fails if one of them has
 * added it.
 */
export async function releaseMarks(tx: Tx, parameters: QueryParameters): Promise<void> {
  if (isOnSeveralNodes(tx)) await run(tx, RELEASE_MARKS, parameters);
}
