import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundJob } from './background-job.js';
import { query, run } from '../database/query.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/** Pause between two steps, so that requests come first. */
const PAUSE_MS = 100;

/** Hand-written, because the module of the suppliers is in a higher layer. */
const SUPPLIERS = query<{ id: number }>(
  'database.list_suppliers',
  `SELECT id FROM import_supplier ORDER BY id`,
);

/**
 * A background job that starts with the service and handles one supplier after the other, in steps that are separate
 * transactions. Every process of every instance runs it, so a step skips rows that another process is working on. An error at one
 * supplier does not stop the others. If several fail, only the first error is logged, because they usually have the same cause.
 */
@Injectable()
export abstract class SupplierJob implements OnApplicationBootstrap, OnApplicationShutdown {
  protected abstract readonly logger: Logger;
  /** The log message for a failed step. */
  protected abstract readonly failure: string;
  /** Delay after a process has done all available work. */
  protected abstract readonly intervalMs: number;

  private job: BackgroundJob | undefined;

  constructor(protected readonly work: UnitOfWork) {}

  /**
   * Do some of the work for a supplier.
   *
   * @returns whether there may be more
   */
  protected abstract step(importSupplierId: number): Promise<boolean>;

  onApplicationBootstrap(): void {
    this.job = new BackgroundJob({
      intervalMs: this.intervalMs,
      run: (signal) => this.runAll(signal),
      onFailure: (error) => {
        const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
        this.logger.warn({ msg: this.failure, err: errors[0], count: errors.length });
      },
    });
    this.job.start(0);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.job?.stop();
  }

  /** The suppliers that the job handles. */
  protected async supplierIds(): Promise<readonly number[]> {
    const suppliers = await this.work.query((tx) => run(tx, SUPPLIERS, {}));
    return suppliers.map(({ id }) => id);
  }

  private async runAll(signal: AbortSignal): Promise<void> {
    const errors: unknown[] = [];
    for (const id of await this.supplierIds()) {
      await this.runSteps(id, signal).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors);
  }

  private async runSteps(importSupplierId: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.step(importSupplierId))) {
      await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
