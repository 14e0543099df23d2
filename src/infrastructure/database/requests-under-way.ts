import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { query, run, runForOne } from './query.js';
import { UnitOfWork, type Tx } from './unit-of-work.js';
import { ITEM_TABLES } from '../item-names/item-names.js';

/** How often it looks whether the transactions it waits for have ended. */
const POLL_MS = 20;

/** After this time an operator reads what the command waits for. */
export const LONG_WAIT_MS = 5_000;

const TABLES = [...ITEM_TABLES, 'import_request', 'import_refusal', 'import_lease'] as const;

/**
 * Transactions that have written, or are about to write, rows of accounts. A query locks the tables that it writes before it reads
 * any row. On several nodes the tables are the shards of the supplier, at its node.
 */
const WRITERS = `
     FROM pg_locks
    WHERE locktype = 'relation'
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND relation = ANY (:tables::text[]::regclass[]::oid[])
      AND mode = 'RowExclusiveLock'
      AND granted`;

const LIST_WRITERS = query<{ id: string }>(
  'accounts.list_writers',
  `SELECT DISTINCT virtualtransaction AS id ${WRITERS}`,
);

const ARE_WRITING = query<{ are_writing: boolean }>(
  'accounts.are_writing',
  `SELECT EXISTS (SELECT ${WRITERS} AND virtualtransaction = ANY (:writers::text[])) AS are_writing`,
);

/** Waits for the import requests that were under way when something changed that they may not have seen. */
@Injectable()
export class RequestsUnderWay {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Wait until every transaction has ended that writes rows of accounts of the supplier now; it may wait for others too. Whatever begins later sees what was
   * committed before the call, and is not waited for.
   *
   * @param interrupted ends the wait early
   * @param onLongWait called once when it takes long
   * Source: choice S10; decision 16 (docs/decisions/).
   */
  async wait(importSupplierId: number, interrupted: AbortSignal, onLongWait: () => void): Promise<void> {
    const writers = await this.work.queryAt(importSupplierId, (tx) =>
      run(tx, LIST_WRITERS, { tables: tablesOf(tx) }),
    );
    const ids = writers.map(({ id }) => id);
    let waitedMs = 0;
    while (!interrupted.aborted && ids.length > 0 && (await this.areWriting(importSupplierId, ids))) {
      await delay(POLL_MS);
      waitedMs += POLL_MS;
      if (waitedMs === LONG_WAIT_MS) onLongWait();
    }
  }

  /** Whether one of these transactions has not ended. */
  async areWriting(importSupplierId: number, writers: readonly string[]): Promise<boolean> {
    const { are_writing } = await this.work.queryAt(importSupplierId, (tx) =>
      runForOne(tx, ARE_WRITING, { tables: tablesOf(tx), writers }),
    );
    return are_writing;
  }
}

function tablesOf({ placement }: Tx): string[] {
  return TABLES.map((table) => placement?.shards[table] ?? table);
}
