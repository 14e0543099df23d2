import { Injectable } from '@nestjs/common';
import { query, run, runForOne } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { markClosed, releaseMarks } from '../../accounts/importing/imported-accounts.js';
import { forEachItem } from '../../infrastructure/item-names/item-names.js';
import {
  recordChanges,
  type Change,
  type RowsChange,
  type StatusChange,
} from '../../infrastructure/change-log/record-changes.js';
import {
  EMPTIED,
  KINDS,
  REMOVE_REFUSALS,
  type ListedKind,
  type UnlistedKind,
  type ListedRow,
  type RemovedRow,
} from './erased-rows.queries.js';
import type { ErasedCounts, ErasureRun, ErasureState } from './erasure.types.js';

/** Does nothing when the erasure already exists. */
const BEGIN = query<ErasureRun>(
  'accounts.begin_erasure',
  `INSERT INTO erasure (import_supplier_id, external_account_number, reason, run_id)
   VALUES (:import_supplier_id, :account_number, :reason, :run_id)
       ON CONFLICT DO NOTHING
   RETURNING import_supplier_id, id AS erasure_id, run_id`,
);

const TAKE_OVER = query<ErasureRun>(
  'accounts.take_over_erasure',
  `UPDATE erasure
      SET run_id = :run_id
    WHERE import_supplier_id = :import_supplier_id AND external_account_number IS NOT DISTINCT FROM :account_number
   RETURNING import_supplier_id, id AS erasure_id, run_id`,
);

const OPEN_ACCOUNT_ERASURES = query<{ external_account_number: string }>(
  'accounts.open_account_erasures',
  `SELECT external_account_number
     FROM erasure
    WHERE import_supplier_id = :import_supplier_id AND external_account_number IS NOT NULL
    ORDER BY external_account_number`,
);

const LOCK = query<{ state: ErasureState; reason: string }>(
  'accounts.lock_erasure',
  `SELECT e.reason, json_build_object('accounts', e.accounts, 'rows', json_build_object(
            ${KINDS.map((kind) => `'${kind}', e.${kind}`).join(', ')}
          )) AS state
     FROM erasure e
    WHERE e.import_supplier_id = :import_supplier_id AND e.id = :erasure_id AND e.run_id = :run_id
      FOR UPDATE`,
);

/** Skips numbers that another erasure has closed. */
const CLOSE = query<{ external_account_number: string }>(
  'accounts.close_for_erasure',
  `INSERT INTO account_erasure (import_supplier_id, external_account_number, erasure_id)
   SELECT :import_supplier_id, closed.number, :erasure_id
     FROM unnest(:account_numbers::text[]) AS closed (number)
    ORDER BY closed.number COLLATE "C"
       ON CONFLICT DO NOTHING
   RETURNING external_account_number`,
);

const DELETE_ACCOUNTS = query<Required<StatusChange> & { deleted: number; imported_numbers: string[] }>(
  'accounts.erase_accounts',
  `WITH deleted AS (
     DELETE FROM account_import
      WHERE import_supplier_id = :import_supplier_id AND external_account_number = ANY (:account_numbers::text[])
     RETURNING status, external_account_number
   ),
   counted AS (
     UPDATE erasure
        SET accounts = accounts + (SELECT count(*) FROM deleted)
      WHERE import_supplier_id = :import_supplier_id AND id = :erasure_id
   )
   SELECT count(*)::integer AS deleted,
          (-count(*) FILTER (WHERE status = 'pending'))::integer AS pending,
          (-count(*) FILTER (WHERE status = 'imported'))::integer AS imported,
          (-count(*) FILTER (WHERE status = 'failed'))::integer AS failed,
          array(SELECT d.external_account_number FROM deleted d WHERE d.status = 'imported') AS imported_numbers
     FROM deleted`,
);

const LIST_ACCOUNTS = query<{ external_account_number: string }>(
  'accounts.list_to_erase',
  `SELECT external_account_number
     FROM account_import
    WHERE import_supplier_id = :import_supplier_id AND external_account_number > :after
    ORDER BY external_account_number
    LIMIT :accounts_max`,
);

const CLOSED_ACCOUNTS = query<{ external_account_number: string }>(
  'accounts.closed_for_erasure',
  `SELECT external_account_number
     FROM account_erasure
    WHERE import_supplier_id = :import_supplier_id AND erasure_id = :erasure_id
    ORDER BY external_account_number`,
);

/** A lease is only a hint for importers. Without it they acquire another one. */
const DELETE_LEASES = query<never>(
  'accounts.erase_leases',
  `DELETE FROM import_lease
    WHERE import_supplier_id = :import_supplier_id
      AND (first_number = ANY (:account_numbers::text[]) OR last_number = ANY (:account_numbers::text[]))`,
);

/** The changes of import requests are emptied together with the request records (erased-rows.queries.ts). */
const EMPTY_CHANGES_OF_ACCOUNTS = query<never>(
  'accounts.empty_changes_of_accounts',
  `UPDATE feed_change
      SET ${EMPTIED}
    WHERE import_supplier_id = :import_supplier_id AND external_account_number = ANY (:account_numbers::text[])
      AND type IN ('account.imported', 'account.period_changed')`,
);

const RELEASE = query<never>(
  'accounts.end_account_erasures',
  `DELETE FROM account_erasure WHERE import_supplier_id = :import_supplier_id AND erasure_id = :erasure_id`,
);

const END = query<never>(
  'accounts.end_erasure',
  `DELETE FROM erasure WHERE import_supplier_id = :import_supplier_id AND id = :erasure_id`,
);

/** The rows of accounts that are being erased. A method that takes a run expects that run to hold the {@link lock}. */
@Injectable()
export class ErasureRepository {
  /**
   * @param accountNumber null for all accounts of the supplier
   * @returns the run; undefined when the erasure is already under way
   */
  async begin(
    tx: Tx,
    importSupplierId: number,
    accountNumber: string | null,
    reason: string,
    runId: string,
  ): Promise<ErasureRun | undefined> {
    const [row] = await run(tx, BEGIN, {
      import_supplier_id: importSupplierId,
      account_number: accountNumber,
      reason,
      run_id: runId,
    });
    return row;
  }

  /** Continue an erasure that is under way. Its previous run stops at its next step. */
  async takeOver(
    tx: Tx,
    importSupplierId: number,
    accountNumber: string | null,
    runId: string,
  ): Promise<ErasureRun | undefined> {
    const [row] = await run(tx, TAKE_OVER, {
      import_supplier_id: importSupplierId,
      account_number: accountNumber,
      run_id: runId,
    });
    return row;
  }

  /** The accounts of the supplier that have an erasure of their own under way. */
  async openAccountErasures(tx: Tx, importSupplierId: number): Promise<string[]> {
    const rows = await run(tx, OPEN_ACCOUNT_ERASURES, { import_supplier_id: importSupplierId });
    return rows.map(({ external_account_number }) => external_account_number);
  }

  /** Lock the erasure until the end of the transaction. @returns undefined when another run has taken it over or ended it */
  async lock(tx: Tx, erasure: ErasureRun): Promise<{ state: ErasureState; reason: string } | undefined> {
    const [row] = await run(tx, LOCK, { ...erasure });
    return row;
  }

  /** The next accounts of the supplier after a number. */
  async listAccounts(
    tx: Tx,
    { import_supplier_id }: ErasureRun,
    after: string,
    accountsMax: number,
  ): Promise<string[]> {
    const rows = await run(tx, LIST_ACCOUNTS, { import_supplier_id, after, accounts_max: accountsMax });
    return rows.map(({ external_account_number }) => external_account_number);
  }

  /**
   * Delete accounts. Their rows stay for the following steps, and no request can add another row. @returns how many
   * accounts there were
   */
  async closeAccounts(tx: Tx, erasure: ErasureRun, accountNumbers: readonly string[]): Promise<number> {
    const closed = await run(tx, CLOSE, { ...erasure, account_numbers: accountNumbers });
    const numbers = closed.map(({ external_account_number }) => external_account_number);
    await markClosed(tx, { ...erasure, account_numbers: numbers });
    const { deleted, imported_numbers, ...changed } = await runForOne(tx, DELETE_ACCOUNTS, {
      ...erasure,
      account_numbers: numbers,
    });
    const erased = imported_numbers.map((number): Change => ({
      type: 'account.erased',
      external_account_number: number,
    }));
    await recordChanges(tx, erasure.import_supplier_id, [changed, ...erased]);
    return deleted;
  }

  /** Deleted accounts that may still have rows. */
  async closedAccounts(tx: Tx, erasure: ErasureRun): Promise<string[]> {
    const rows = await run(tx, CLOSED_ACCOUNTS, { ...erasure });
    return rows.map(({ external_account_number }) => external_account_number);
  }

  /** Remove a batch of rows that name no documents. @returns how many; 0 when none was left */
  async removeRows(tx: Tx, erasure: ErasureRun, { kind, remove }: UnlistedKind): Promise<number> {
    return recordRemoval(tx, erasure, kind, await run(tx, remove, { ...erasure }));
  }

  /** Remove a batch of the supplier's refusals, of any account number. @returns how many; 0 when none was left */
  async removeRefusals(tx: Tx, erasure: ErasureRun): Promise<number> {
    return recordRemoval(tx, erasure, 'refusals', await run(tx, REMOVE_REFUSALS, { ...erasure }));
  }

  /** The next batch of rows that may name documents. */
  listRows(tx: Tx, erasure: ErasureRun, { list }: ListedKind): Promise<ListedRow[]> {
    return run(tx, list, { ...erasure });
  }

  async removeListedRows(
    tx: Tx,
    erasure: ErasureRun,
    { kind, remove }: ListedKind,
    rows: readonly ListedRow[],
  ): Promise<void> {
    const keys = remove.parameterNames.filter((name) => name.startsWith('key_'));
    const removed = await run(tx, remove, {
      ...erasure,
      ...Object.fromEntries(keys.map((name, index) => [name, rows.map(({ key }) => key[index])])),
    });
    await recordRemoval(tx, erasure, kind, removed);
  }

  /**
   * End the erasure of accounts. Their numbers can be staged again, and the feed keeps nothing of them but the erasure.
   *
   * @throws an error with SQLSTATE 23001 when one of them still has a row; on several nodes the SQLSTATE is 23503
   */
  async releaseAccounts(tx: Tx, erasure: ErasureRun, accountNumbers: readonly string[]): Promise<void> {
    const parameters = { ...erasure, account_numbers: accountNumbers };
    await run(tx, DELETE_LEASES, parameters);
    await run(tx, EMPTY_CHANGES_OF_ACCOUNTS, parameters);
    await releaseMarks(tx, parameters);
    await run(tx, RELEASE, parameters);
  }

  async end(tx: Tx, erasure: ErasureRun): Promise<void> {
    await run(tx, END, { ...erasure });
  }
}

/** The total that counts the rows of a kind; refusals are in no total. */
const TOTAL_OF: Readonly<Record<keyof ErasedCounts, keyof RowsChange | undefined>> = {
  ...forEachItem((name) => name),
  import_requests: 'requests',
  refusals: undefined,
};

/** @returns how many rows were removed */
async function recordRemoval(
  tx: Tx,
  { import_supplier_id }: ErasureRun,
  kind: keyof ErasedCounts,
  rows: readonly RemovedRow[],
): Promise<number> {
  const column = TOTAL_OF[kind];
  if (column !== undefined) {
    const changes = rows.map(({ external_account_number, counted, amount, pinned_notes }) => ({
      external_account_number,
      [column]: -counted,
      ...(amount !== null && { amount }),
      pinned_notes,
    }));
    await recordChanges(tx, import_supplier_id, changes);
  }
  return rows.reduce((sum, { removed }) => sum + removed, 0);
}
