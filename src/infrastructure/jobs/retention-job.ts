import { Injectable, Logger } from '@nestjs/common';
import { SupplierJob } from './supplier-job.js';
import type { Tx } from '../database/unit-of-work.js';

/**
 * Removes data whose retention period is over, once an hour, in batches. A batch skips rows that another process has locked.
 *
 * Source: choice S10.
 */
@Injectable()
export abstract class RetentionJob extends SupplierJob {
  protected override readonly logger = new Logger('retention');
  protected override readonly intervalMs = 3_600_000;

  /** Name of the removed data, for the log. */
  protected abstract readonly subject: string;

  protected override get failure(): string {
    return `could not remove ${this.subject}`;
  }

  /**
   * Remove some data of a supplier's accounts that is older than its retention period.
   *
   * @returns the number of rows removed; 0 if none is left
   */
  protected abstract removeBatch(tx: Tx, importSupplierId: number): Promise<number>;

  protected override async step(importSupplierId: number): Promise<boolean> {
    const removed = await this.work.query((tx) => this.removeBatch(tx, importSupplierId));
    if (removed === 0) return false;
    this.logger.log({ msg: `removed ${this.subject}`, count: removed });
    return true;
  }
}
