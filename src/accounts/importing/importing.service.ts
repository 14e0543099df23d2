import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { AuditRun } from '../../infrastructure/audit/audit-run.js';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { Clock } from '../../infrastructure/clock/clock.js';
import { ENVIRONMENT, type Environment } from '../../infrastructure/config/settings.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { ImportingRepository, type Lease } from './importing.repository.js';
import { ANALYZE_FROM_ROWS } from '../staging/staging.service.js';
import { StagingRepository } from '../staging/staging.repository.js';

export interface ImportOptions {
  /** The operator's name in the audit log. */
  readonly operator: string;
  /** Maximum number of accounts to process; accounts whose import fails count too. */
  readonly limit?: number | undefined;
  /** Importers that run at the same time, 1 to 16; never more than there are connections (DATABASE_POOL_MAX). */
  readonly concurrency: number;
  /** Stops after the chunks that are being imported. */
  readonly interrupted: AbortSignal;
  /** Called after each chunk with the number of accounts processed. */
  readonly onProgress: (accounts: number) => void;
}

export interface ImportOutcome {
  readonly imported: number;
  readonly failed: number;
  /** Accounts that are pending at the end, including those that another importer is importing. */
  readonly remaining: number;
  /** Remaining accounts that were left out because their number is being erased. */
  readonly erasing: number;
}

/** Accounts in one chunk: a tenth of a second of work, and little to repeat if the chunk is lost. */
const CHUNK_MAX = 2_000;

/** How often an importer without a chunk checks whether the others have finished. */
const POLL_MS = 250;

/**
 * Creates platform accounts for staged accounts.
 *
 * Any number of importers may run, in this process and in others. Each acquires a lease on a chunk of account numbers in one
 * short transaction, and imports the chunk in a second one, which also releases the lease. If an importer is killed between the
 * two, its lease expires. If it is killed at any other time, it leaves nothing behind.
 */
@Injectable()
export class ImportingService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly repository: ImportingRepository,
    private readonly staging: StagingRepository,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Import all pending accounts. When the only accounts left are leased by other importers, the run waits for them, so that a run
   * after a crash leaves nothing behind; the lease of a killed importer expires.
   *
   * An account that is staged into a chunk while the chunk is being imported is imported too, even beyond `limit`. An account
   * whose number is being erased is left out, and this run does not lease it again, or it would never end. The audit log records
   * the run when it imports its first chunk, and when it ends.
   *
   * @throws CommandError `supplier_not_found` or `import_supplier_migration_not_ongoing`, also while the import runs
   * Source: specification 3.2; choices S2, S3, S4, S6, O6.
   */
  async import(
    code: string,
    { operator, limit, concurrency, interrupted, onProgress }: ImportOptions,
  ): Promise<ImportOutcome> {
    const supplier = await this.work.query((tx) => this.suppliers.ongoing(tx, code));
    const failure = new AbortController();
    const run: Run = {
      code,
      supplier,
      leasable: limit ?? Infinity,
      imported: 0,
      failed: 0,
      erasing: new Set(),
      failure,
      stopped: AbortSignal.any([interrupted, failure.signal]),
      onProgress,
      record: this.audit.runOf(code, 'accounts.import', operator),
    };
    try {
      const remaining = await this.importAll(run, concurrency);
      await run.record.end(interrupted.aborted ? 'interrupted' : 'complete', countsOf(run));
      // A number that was being erased may have been imported after all, in a later chunk.
      return { ...countsOf(run), remaining, erasing: Math.min(run.erasing.size, remaining) };
    } catch (error) {
      await run.record.fail(countsOf(run));
      throw error;
    }
  }

  /** The number of pending accounts. @throws CommandError `supplier_not_found` */
  countPending(code: string): Promise<number> {
    return this.work.query(async (tx) =>
      this.repository.countPending(tx, await this.suppliers.ongoing(tx, code)),
    );
  }

  /** @returns the number of accounts that are still pending afterwards */
  private async importAll(run: Run, concurrency: number): Promise<number> {
    // One importer more would wait for a connection, and time out if the others wait long for a lock.
    const importerCount = Math.min(concurrency, this.environment.DATABASE_POOL_MAX);
    const importers = Array.from({ length: importerCount }, () =>
      this.importChunks(run).catch((error: unknown) => {
        run.failure.abort();
        throw error;
      }),
    );
    // An importer that fails stops the others. Wait for all of them before throwing its error.
    for (const ended of await Promise.allSettled(importers)) {
      if (ended.status === 'rejected') throw ended.reason;
    }
    if (run.imported + run.failed >= ANALYZE_FROM_ROWS) {
      await this.work.query((tx) => this.staging.analyze(tx));
    }
    return this.work.query((tx) => this.repository.countPending(tx, run.supplier));
  }

  private async importChunks(run: Run): Promise<void> {
    // Every account up to this number is imported, or was leased when this importer reached it.
    let after = '';
    while (!run.stopped.aborted && run.leasable > 0) {
      const lease = await this.acquireLease(run, after);
      if (lease) {
        await this.importChunk(run, lease);
        after = lease.last_number;
      } else if (after !== '') {
        // Start again from the beginning, for accounts that were staged meanwhile or left by a killed importer.
        after = '';
      } else if (await this.isAnyLeased(run)) {
        await delay(POLL_MS, undefined, { signal: run.stopped }).catch(expectAbort);
      } else {
        return;
      }
    }
  }

  private async acquireLease(run: Run, after: string): Promise<Lease | undefined> {
    const size = Math.min(CHUNK_MAX, run.leasable);
    // Subtract before the first await, so that the importers of this run together never lease more than the limit.
    run.leasable -= size;
    const lease = await this.work.write(async (tx) => {
      // Leases of one supplier are acquired one at a time, so they never overlap.
      await this.suppliers.ongoing(tx, run.code, 'change');
      await this.repository.purgeExpiredLeases(tx, run.supplier);
      return this.repository.acquireLease(tx, run.supplier, after, [...run.erasing], size, HOLDER);
    });
    run.leasable += size - (lease?.size ?? 0);
    return lease;
  }

  private async importChunk(run: Run, lease: Lease): Promise<void> {
    const { imported, failed, erasing } = await run.record.write(
      (tx) => this.repository.import(tx, run.supplier, lease, this.clock.today()),
      (done) => done.imported + done.failed > 0,
    );
    run.imported += imported;
    run.failed += failed;
    for (const number of erasing) run.erasing.add(number);
    // If the lease was lost, other importers import the accounts.
    run.leasable += Math.max(0, lease.size - imported - failed);
    run.onProgress(imported + failed);
  }

  private isAnyLeased(run: Run): Promise<boolean> {
    return this.work.query((tx) => this.repository.isAnyLeased(tx, run.supplier));
  }
}

/** The holder of a lease: host name and process id, enough to find the process. */
const HOLDER = `${hostname()} ${process.pid}`;

/** State that the importers of one run share. */
interface Run {
  readonly code: string;
  readonly supplier: number;
  /** The number of accounts that may still be leased. */
  leasable: number;
  imported: number;
  failed: number;
  /** Account numbers that are being erased. */
  readonly erasing: Set<string>;
  /** Stops the importers when one of them fails. */
  readonly failure: AbortController;
  readonly stopped: AbortSignal;
  readonly onProgress: (accounts: number) => void;
  readonly record: AuditRun;
}

function countsOf({ imported, failed }: Run): Pick<ImportOutcome, 'imported' | 'failed'> {
  return { imported, failed };
}

/** The signal ends the wait early, which is not an error. */
function expectAbort(error: unknown): void {
  if ((error as Error).name !== 'AbortError') throw error;
}
