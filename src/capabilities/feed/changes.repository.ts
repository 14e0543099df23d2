import { Injectable } from '@nestjs/common';
import { run, runForOne } from '../../infrastructure/database/query.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { changeJson } from './change-json.js';
import { FIND_EPOCHS, FIND_HEAD, IS_EPOCH, READ_BATCH } from './changes.queries.js';
import type { Batch, ChangeRow, FeedHead } from './changes.types.js';

/** An epoch of a supplier (choice E7). */
export interface Epoch {
  /** 1, 2, 3 … */
  readonly number: number;
  /** Up to this number the epoch has the changes of the epoch before. */
  readonly continuesAfter: number;
  readonly id: string;
}

@Injectable()
export class ChangesRepository {
  /** @returns undefined before the first change was numbered */
  async head(tx: Tx, importSupplierId: number): Promise<FeedHead | undefined> {
    return (await run(tx, FIND_HEAD, { import_supplier_id: importSupplierId }))[0];
  }

  /**
   * The changes after a number, at most `limit` of them.
   *
   * @param epoch the epoch in which the number was read; the current one by default
   * @param source the address of the feed without its epoch
   * @returns undefined when the current epoch is a different one
   */
  async read(
    tx: Tx,
    importSupplierId: number,
    { epoch, sequence: after }: { readonly epoch: string | undefined; readonly sequence: number },
    limit: number,
    source: string,
  ): Promise<Batch | undefined> {
    const parameters = { import_supplier_id: importSupplierId, epoch: epoch ?? null, after, limit };
    const rows = await run(tx, READ_BATCH, parameters);
    const [head] = rows;
    if (!head) return undefined;
    const sourceOfEpoch = JSON.stringify(`${source}${head.epoch}`);
    const changes = rows.filter(isChange);
    return {
      epoch: head.epoch,
      lastSequence: head.lastSequence,
      changes: changes.map((row) => changeJson(row, sourceOfEpoch)),
      sequence: changes.at(-1)?.sequence ?? after,
    };
  }

  /** The epochs of a supplier, oldest first. */
  epochs(tx: Tx, importSupplierId: number): Promise<Epoch[]> {
    return run(tx, FIND_EPOCHS, { import_supplier_id: importSupplierId });
  }

  /** Whether any supplier has an epoch of this id. */
  async isEpoch(tx: Tx, epoch: string): Promise<boolean> {
    return (await runForOne(tx, IS_EPOCH, { epoch })).is_known;
  }
}

function isChange(row: ChangeRow): row is ChangeRow & { sequence: number } {
  return row.sequence !== null;
}
