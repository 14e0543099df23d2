import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RetryRunsRepository } from './retry-runs.repository.js';
import type { RetryRun } from './retry-runs.types.js';
import { RetryService } from './retry.service.js';

/**
 * Retries of failed accounts that nobody waits for: a cause may have a million of them. Each runs in the service process that was
 * asked for it, one of a supplier at a time. How far it is, is in the database, so every process can tell. At the end of the process
 * it ends after its batch; what it has left is still failed, and a further retry puts it back.
 */
@Injectable()
export class RetryRunsService implements OnApplicationShutdown {
  private readonly logger = new Logger('retries');
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly retries: RetryService,
    private readonly repository: RetryRunsRepository,
  ) {}

  /**
   * Begin to put the failed accounts of a cause back to pending.
   *
   * @param code of a supplier that exists
   * @param operator the name that is recorded
   * @returns false when a run of the supplier is under way; then nothing is begun
   * Source: choice C9.
   */
  async begin(code: string, cause: string, operator: string): Promise<boolean> {
    const key = { import_supplier: code, id: randomUUID() };
    if (!(await this.work.single((tx) => this.repository.begin(tx, key)))) return false;
    const run = this.carryOut(key, cause, operator).finally(() => this.running.delete(run));
    this.running.add(run);
    return true;
  }

  /** The run of a supplier that is under way, or has ended within an hour. */
  find(code: string): Promise<RetryRun | undefined> {
    return this.work.single((tx) => this.repository.find(tx, code));
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
  }

  /** Never rejects. */
  private async carryOut(
    key: { readonly import_supplier: string; readonly id: string },
    cause: string,
    operator: string,
  ): Promise<void> {
    const { signal: interrupted } = this.stopping;
    try {
      await this.retries.retry(
        key.import_supplier,
        { cause },
        { operator, interrupted, onBatch: (tx, count) => this.repository.advance(tx, key, count) },
      );
      const outcome = interrupted.aborted ? 'interrupted' : 'complete';
      await this.work.single((tx) => this.repository.end(tx, key, outcome));
    } catch (err) {
      this.logger.error({ msg: 'failed accounts could not be put back to pending', err });
      await Promise.allSettled([this.work.single((tx) => this.repository.end(tx, key, 'failed'))]);
    }
  }
}
