import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { query, run } from './query.js';
import { UnitOfWork } from './unit-of-work.js';

/** Between two steps, so that requests come first. */
const PAUSE_MS = 100;
/** A job that fails for longer is logged once in this time. */
const LOG_PAUSE_MS = 60_000;

/** By a query of its own, because the module of the suppliers is above this one. */
const SUPPLIERS = query<{ id: number }>(
  'database.list_suppliers',
  `SELECT id FROM import_supplier ORDER BY id`,
);

/**
 * Work in the background of the service: once after the start and then regularly, one supplier after the other, in steps that
 * are transactions of their own. Every process of every instance does it, so a step leaves out what another one is at. A
 * supplier whose step fails does not stop the others.
 */
@Injectable()
export abstract class SupplierJob implements OnApplicationBootstrap, OnApplicationShutdown {
  protected abstract readonly logger: Logger;
  /** What the log says when a step has failed. */
  protected abstract readonly failure: string;
  /** How long a process waits after it has done what there was. */
  protected abstract readonly intervalMs: number;

  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private failureLoggedAtMs = -Infinity;

  constructor(protected readonly work: UnitOfWork) {}

  /**
   * Do some of the work of a supplier.
   *
   * @returns whether there may be more
   */
  protected abstract step(importSupplierId: number): Promise<boolean>;

  onApplicationBootstrap(): void {
    this.runAfter(0);
  }

  /** Waits for the running step. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private runAfter(delayMs: number): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.running = this.runAll();
    }, delayMs).unref();
  }

  /** Never rejects: the next run does what this one left. Several suppliers fail for one reason, which is logged once. */
  private async runAll(): Promise<void> {
    const errors: unknown[] = [];
    try {
      for (const { id } of await this.work.single((tx) => run(tx, SUPPLIERS, {}))) {
        await this.runSteps(id).catch((error: unknown) => errors.push(error));
      }
    } catch (error) {
      errors.push(error);
    }
    if (errors.length > 0) this.logFailure(errors);
    this.runAfter(this.intervalMs);
  }

  private async runSteps(importSupplierId: number): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted && (await this.step(importSupplierId))) {
      await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private logFailure(errors: readonly unknown[]): void {
    const nowMs = performance.now();
    if (nowMs - this.failureLoggedAtMs < LOG_PAUSE_MS) return;
    this.failureLoggedAtMs = nowMs;
    this.logger.warn({ msg: this.failure, err: errors[0], count: errors.length });
  }
}
