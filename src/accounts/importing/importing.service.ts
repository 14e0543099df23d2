import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { ENVIRONMENT } from '../../config/config.module.js';
import type { Environment } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { ImportingRepository, type Claim } from './importing.repository.js';
import { ANALYZE_FROM_ROWS } from '../staging/staging.service.js';
import { StagingRepository } from '../staging/staging.repository.js';

export interface ImportOptions {
  /** Most accounts to go through; those that fail count too. */
  readonly limit?: number | undefined;
  /** Importers at work at the same time, 1 to 16; never more than there are connections (DATABASE_POOL_MAX). */
  readonly concurrency: number;
  /** Stops after the stretches in hand. */
  readonly interrupted: AbortSignal;
  /** Called after each stretch with the number of accounts that were gone through. */
  readonly onProgress: (accounts: number) => void;
}

export interface ImportOutcome {
  readonly imported: number;
  readonly failed: number;
  /** Pending at the end, those that another importer is at work on with them. */
  readonly remaining: number;
}

/** Accounts of one stretch: a tenth of a second of work, little to redo when it is lost. */
const STRETCH_MAX = 2_000;

/** How often an importer that has nothing left to claim looks whether the others are done. */
const POLL_MS = 250;

/**
 * Creates platform accounts for what is staged.
 *
 * Any number of importers may be at work, here and in other processes. Each claims a stretch of account numbers in one
 * short transaction and imports it in a second one, which also gives the claim back. Killed in between it leaves a claim
 * that counts for nothing once its time is over; killed at any other moment it leaves nothing at all.
 */
@Injectable()
export class ImportingService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly repository: ImportingRepository,
    private readonly staging: StagingRepository,
    private readonly clock: Clock,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * Import everything that is pending. When nothing is left but what other importers have claimed, it waits for them, so
   * that a run after a crash leaves nothing behind; a dead importer's claim ends by itself.
   *
   * An account staged into a stretch while that is being imported comes along, even beyond `limit`.
   *
   * @throws CommandError `supplier_not_found` or `import_supplier_migration_not_ongoing`, also in the middle of the work
   * Source: specification 3.2; contract S2, S3, S4, S6.
   */
  async import(
    code: string,
    { limit, concurrency, interrupted, onProgress }: ImportOptions,
  ): Promise<ImportOutcome> {
    const supplier = await this.work.single((tx) => this.suppliers.ongoing(tx, code));
    const failure = new AbortController();
    const run: Run = {
      code,
      supplier,
      unclaimed: limit ?? Infinity,
      imported: 0,
      failed: 0,
      stopped: AbortSignal.any([interrupted, failure.signal]),
      onProgress,
    };
    // One more would wait for a connection, and give up when the others are held up by a lock for long.
    const atOnce = Math.min(concurrency, this.environment.DATABASE_POOL_MAX);
    const importers = Array.from({ length: atOnce }, () =>
      this.importStretches(run).catch((error: unknown) => {
        failure.abort();
        throw error;
      }),
    );
    // One that fails stops the others, and all have ended before this ends.
    for (const ended of await Promise.allSettled(importers)) {
      if (ended.status === 'rejected') throw ended.reason;
    }
    if (run.imported + run.failed >= ANALYZE_FROM_ROWS) {
      await this.work.single((tx) => this.staging.analyze(tx));
    }
    const remaining = await this.work.single((tx) => this.repository.countPending(tx, supplier));
    return { imported: run.imported, failed: run.failed, remaining };
  }

  /** How many accounts wait to be imported. @throws CommandError `supplier_not_found` */
  countPending(code: string): Promise<number> {
    return this.work.single(async (tx) =>
      this.repository.countPending(tx, await this.suppliers.id(tx, code)),
    );
  }

  private async importStretches(run: Run): Promise<void> {
    // Where this importer stands: what lies before it is done, or was claimed when it came by.
    let after = '';
    while (!run.stopped.aborted && run.unclaimed > 0) {
      const claim = await this.claim(run, after);
      if (claim) {
        await this.importStretch(run, claim);
        after = claim.lastNumber;
      } else if (after !== '') {
        // Once more from the beginning: for what was staged meanwhile, or left behind by an importer that died.
        after = '';
      } else if (await this.areOthersBusy(run)) {
        await delay(POLL_MS, undefined, { signal: run.stopped }).catch(expectAbort);
      } else {
        return;
      }
    }
  }

  private async claim(run: Run, after: string): Promise<Claim | undefined> {
    const size = Math.min(STRETCH_MAX, run.unclaimed);
    // Taken before the first await, so that importers of this run never claim more than the limit together.
    run.unclaimed -= size;
    const claim = await this.work.write(async (tx) => {
      // Claims of one supplier are made one after the other; that is what keeps them from overlapping.
      await this.suppliers.lockOngoing(tx, run.code);
      await this.repository.forgetExpiredClaims(tx, run.supplier);
      return this.repository.claim(tx, run.supplier, after, size, CLAIMANT);
    });
    run.unclaimed += size - (claim?.size ?? 0);
    return claim;
  }

  private async importStretch(run: Run, claim: Claim): Promise<void> {
    const { imported, failed } = await this.work.write((tx) =>
      this.repository.import(tx, run.supplier, claim, this.clock.today()),
    );
    run.imported += imported;
    run.failed += failed;
    // Of a claim that was lost, others import the accounts.
    run.unclaimed += Math.max(0, claim.size - imported - failed);
    run.onProgress(imported + failed);
  }

  private areOthersBusy(run: Run): Promise<boolean> {
    return this.work.single((tx) => this.repository.areOthersBusy(tx, run.supplier));
  }
}

/** Who claims: enough to find the process. */
const CLAIMANT = `${hostname()} ${process.pid}`;

/** What the importers of one run share. */
interface Run {
  readonly code: string;
  readonly supplier: number;
  /** How many accounts may still be claimed. */
  unclaimed: number;
  imported: number;
  failed: number;
  readonly stopped: AbortSignal;
  readonly onProgress: (accounts: number) => void;
}

/** Being woken up early is what the signal is for. */
function expectAbort(error: unknown): void {
  if ((error as Error).name !== 'AbortError') throw error;
}
