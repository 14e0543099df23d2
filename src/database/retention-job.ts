import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { query, run } from './query.js';
import { UnitOfWork, type Tx } from './unit-of-work.js';

/** How often a process looks for what has been kept long enough. */
const INTERVAL_MS = 3_600_000;
/** Between two batches, so that requests come first. */
const PAUSE_MS = 100;

/** By a query of its own, because the module of the suppliers is above this one. */
const SUPPLIERS = query<{ id: number }>(
  'database.list_suppliers',
  `SELECT id FROM import_supplier ORDER BY id`,
);

/**
 * Removes what is kept for a limited time, in the background of the service: once after the start and then every hour, one
 * supplier after the other, in batches that are transactions of their own. Every process of every instance does so; a batch
 * skips the rows that another one has locked. A supplier whose rows cannot be removed does not stop the others.
 *
 * Source: choice S10.
 */
@Injectable()
export abstract class RetentionJob implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('retention');
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(protected readonly work: UnitOfWork) {}

  /** What is removed, for the log. */
  protected abstract readonly what: string;

  /**
   * Remove some of what a supplier's accounts have had long enough.
   *
   * @returns how much it was; 0 when nothing is left
   */
  protected abstract removeBatch(tx: Tx, importSupplierId: number): Promise<number>;

  onApplicationBootstrap(): void {
    this.runAfter(0);
  }

  /** Waits for the running batch. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private runAfter(delayMs: number): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.running = this.removeAll();
    }, delayMs).unref();
  }

  /** Never rejects: the next run removes what this one left. Several suppliers fail for one reason, which is logged once. */
  private async removeAll(): Promise<void> {
    const errors: unknown[] = [];
    try {
      for (const { id } of await this.work.single((tx) => run(tx, SUPPLIERS, {}))) {
        await this.removeOf(id).catch((error: unknown) => errors.push(error));
      }
    } catch (error) {
      errors.push(error);
    }
    if (errors.length > 0) {
      this.logger.warn({ msg: `could not remove ${this.what}`, err: errors[0], count: errors.length });
    }
    this.runAfter(INTERVAL_MS);
  }

  private async removeOf(importSupplierId: number): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const removed = await this.work.single((tx) => this.removeBatch(tx, importSupplierId));
      if (removed === 0) return;
      this.logger.log({ msg: `removed ${this.what}`, count: removed });
      await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
