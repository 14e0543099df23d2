import { Injectable } from '@nestjs/common';
import { run } from '../database/query.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import {
  BEGIN_EPOCH,
  CREATE,
  FIND,
  LOCK,
  NUMBER,
  REMEMBER_SERVER,
  TRY_LOCK,
  type LockedFeed,
} from './numbering.queries.js';

/**
 * Numbers the changes of suppliers for the feed.
 *
 * Source: choices E3, E7; decision 19 (docs/decisions/).
 */
@Injectable()
export class NumberingService {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Lock the feed of a supplier until the end of the transaction, so that no other transaction assigns numbers. A transaction
   * that also needs the totals lock acquires that one first. If the server has failed over since the last lock, a new epoch
   * begins.
   *
   * @param canWait whether to wait for another transaction that holds the lock
   * @returns false if another transaction holds the lock and this one did not wait
   */
  async lock(tx: Tx, importSupplierId: number, canWait: boolean): Promise<boolean> {
    const feed = await this.locked(tx, importSupplierId, canWait);
    if (!feed) return false;
    if (feed.is_failed_over) {
      const reason = 'the database failed over';
      await run(tx, BEGIN_EPOCH, { import_supplier_id: importSupplierId, reason });
    }
    if (!feed.is_on_known_server) await run(tx, REMEMBER_SERVER, { import_supplier_id: importSupplierId });
    return true;
  }

  /**
   * Number all changes that the transaction sees, and hold the {@link lock} until it ends. Their effect on the totals is carried
   * over later.
   */
  number(tx: Tx, importSupplierId: number): Promise<void> {
    return this.work.joinAtSupplier(tx, importSupplierId, async (part) => {
      await this.lock(part, importSupplierId, true);
      await run(part, NUMBER, { import_supplier_id: importSupplierId });
    });
  }

  /** {@link number} in its own transaction. */
  numberAll(importSupplierId: number): Promise<void> {
    return this.work.atSupplier(importSupplierId, (node) =>
      node.write((tx) => this.number(tx, importSupplierId)),
    );
  }

  /**
   * Begin an epoch after the last number, because later numbers may have meant other changes. Holds the {@link lock} until the
   * transaction ends.
   */
  beginEpoch(tx: Tx, importSupplierId: number, reason: string): Promise<void> {
    return this.work.joinAtSupplier(tx, importSupplierId, async (part) => {
      await this.lock(part, importSupplierId, true);
      await run(part, BEGIN_EPOCH, { import_supplier_id: importSupplierId, reason });
    });
  }

  private async locked(tx: Tx, importSupplierId: number, canWait: boolean): Promise<LockedFeed | undefined> {
    const parameters = { import_supplier_id: importSupplierId };
    const [feed] = await run(tx, canWait ? LOCK : TRY_LOCK, parameters);
    if (feed) return feed;
    if (!canWait && (await run(tx, FIND, parameters)).length > 0) return undefined;
    await run(tx, CREATE, parameters);
    return (await run(tx, LOCK, parameters))[0];
  }
}
