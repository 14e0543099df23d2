import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { query, run, runForOne } from './query.js';
import { UnitOfWork, type Tx } from './unit-of-work.js';
import { ITEM_TABLES } from '../item-names/item-names.js';

/** Interval between checks whether the transactions have ended. */
const POLL_MS = 20;

/** After this time, the operator is told what the command waits for. */
export const LONG_WAIT_MS = 5_000;

const TABLES = [...ITEM_TABLES, 'import_request', 'import_refusal', 'import_lease'] as const;

/**
 * Transactions that have written, or are about to write, rows of accounts. A query locks the tables that it writes before it
 * reads any row. On several nodes the tables are the supplier's shards on its node.
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

/** Waits for import requests that were under way when something changed, because they may not have seen the change. */
@Injectable()
export class RequestsUnderWay {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Wait until every transaction has ended that is writing rows of the supplier's accounts when this is called; it may also wait
   * for others. Transactions that begin later see changes committed before the call, so they need no wait.
   *
   * @param interrupted ends the wait early
   * @param onLongWait called once if the wait takes long
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

  /** Whether any of these transactions is still running. */
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
