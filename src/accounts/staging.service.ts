import { Injectable } from '@nestjs/common';
import { Spool } from '../common/spool.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ImportSuppliersService } from '../import-suppliers/import-suppliers.service.js';
import type { LineProblem } from './staged-record.js';
import { StagingBatch } from './staging-batch.js';
import type { NumberedReading } from './staging-file.js';
import { StagingRepository } from './staging.repository.js';

/** A line that was not staged, counted from 1, and why. */
export interface BadLine extends LineProblem {
  readonly line: number;
}

/** What became of a file; each line that is not blank counts once. */
export interface StagingOutcome {
  staged: number;
  /** Took the place of a pending or failed record, maybe of one earlier in the file. */
  replaced: number;
  /** Imported already, so left alone. */
  skipped: number;
  /** Some of the numbers that were skipped. */
  readonly skippedNumbers: string[];
  /** Every bad line, in order; to be disposed of by the caller. */
  readonly badLines: Spool<BadLine>;
  /** Whether it was stopped before the end of the file. */
  isInterrupted: boolean;
}

/** From so many changed rows on the planner is told at once. */
export const ANALYZE_FROM_ROWS = 10_000;

/** Numbers of skipped accounts that are named. */
const SKIPPED_NAMED_MAX = 20;

/** Stages accounts for import. */
@Injectable()
export class StagingService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly repository: StagingRepository,
  ) {}

  /**
   * Stage the good lines of a file, batch by batch. A batch is one transaction: after a crash whole batches are there,
   * and staging the file again completes it. While a batch is written the next one is read.
   *
   * @param readings see readStagingFile
   * @param interrupted stops after the batches in hand
   * @throws Refusal `supplier_not_found` or `import_supplier_migration_not_ongoing`, also in the middle of the file
   * Source: contract S2, S7.
   */
  async stage(
    code: string,
    readings: AsyncGenerator<NumberedReading[]>,
    interrupted: AbortSignal,
  ): Promise<StagingOutcome> {
    const outcome: StagingOutcome = {
      staged: 0,
      replaced: 0,
      skipped: 0,
      skippedNumbers: [],
      badLines: new Spool(),
      isInterrupted: false,
    };
    try {
      await this.work.single((tx) => this.suppliers.ongoing(tx, code));
      const batches = intoBatches(readings, outcome, interrupted);
      let current = await batches.next();
      while (current.done !== true) {
        [current] = await Promise.all([batches.next(), this.write(code, current.value, outcome)]);
      }
      if (outcome.staged + outcome.replaced >= ANALYZE_FROM_ROWS) {
        await this.work.single((tx) => this.repository.analyze(tx));
      }
      return outcome;
    } catch (error) {
      outcome.badLines.dispose();
      throw error;
    }
  }

  private async write(code: string, batch: StagingBatch, outcome: StagingOutcome): Promise<void> {
    const room = SKIPPED_NAMED_MAX - outcome.skippedNumbers.length;
    const { counts, skipped } = await this.work.write(async (tx) => {
      const supplier = await this.suppliers.ongoing(tx, code);
      const written = await this.repository.stage(tx, supplier, batch);
      const isToBeNamed = written.skipped > 0 && room > 0;
      return {
        counts: written,
        skipped: isToBeNamed ? await this.repository.skippedNumbers(tx, supplier, room) : [],
      };
    });
    outcome.staged += counts.staged;
    outcome.replaced += counts.replaced;
    outcome.skipped += counts.skipped;
    outcome.skippedNumbers.push(...skipped);
  }
}

async function* intoBatches(
  readings: AsyncGenerator<NumberedReading[]>,
  outcome: StagingOutcome,
  interrupted: AbortSignal,
): AsyncGenerator<StagingBatch> {
  let batch = new StagingBatch();
  for await (const block of readings) {
    if (interrupted.aborted) {
      outcome.isInterrupted = true;
      break;
    }
    for (const reading of block) {
      if ('problem' in reading) {
        outcome.badLines.add({ line: reading.line, ...reading.problem });
        continue;
      }
      batch.add(reading.record);
      if (!batch.isFull) continue;
      yield batch;
      batch = new StagingBatch();
    }
  }
  if (batch.length > 0) yield batch;
}
