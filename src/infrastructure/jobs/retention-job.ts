import { Injectable, Logger } from '@nestjs/common';
import { SupplierJob } from './supplier-job.js';
import type { Tx } from '../database/unit-of-work.js';

/**
 * Removes what is kept for a limited time, once an hour, in batches; a batch skips the rows that another process has locked.
 *
 * Source: choice S10.
 */
@Injectable()
export abstract class RetentionJob extends SupplierJob {
  protected override readonly logger = new Logger('retention');
  protected override readonly intervalMs = 3_600_000;

  /** What is removed, for the log. */
  protected abstract readonly what: string;

  protected override get failure(): string {
    return `could not remove ${this.what}`;
  }

  /**
   * Remove some of what a supplier's accounts have had long enough.
   *
   * @returns how much it was; 0 when nothing is left
   */
  protected abstract removeBatch(tx: Tx, importSupplierId: number): Promise<number>;

  protected override async step(importSupplierId: number): Promise<boolean> {
    const removed = await this.work.query((tx) => this.removeBatch(tx, importSupplierId));
    if (removed === 0) return false;
    this.logger.log({ msg: `removed ${this.what}`, count: removed });
    return true;
  }
}
