import { Injectable } from '@nestjs/common';
import type { AuditRun } from '../../infrastructure/audit/audit-run.js';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { Spool } from '../../infrastructure/files/spool.js';
import { sqlState } from '../../infrastructure/errors/sql-state.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import type { AccountBatch } from '../files/account-batch.js';
import { gather, type FileRun } from '../files/gather.js';
import type { BadLine, LineProblem, NumberedReading } from '../files/line-reading.js';
import { StagingWriter } from './staging-writer.js';
import { StagingRepository, type StagedCounts } from './staging.repository.js';

/** Outcome of a file. Each line that is not blank counts once. */
export interface StagingOutcome {
  staged: number;
  /** Replaced a pending or failed record, possibly one from an earlier line of the file. */
  replaced: number;
  /** Already imported, so not changed. */
  skipped: number;
  /** Some of the skipped numbers. */
  readonly skippedNumbers: string[];
  /**
   * Every bad line; the caller disposes of them. They are in order, except those whose account is being erased: these are only
   * known when their batch is written.
   */
  readonly badLines: Spool<BadLine>;
  /** Whether the run stopped before the end of the file. */
  isInterrupted: boolean;
}

/** If at least this many rows changed, the planner's statistics are updated at once. */
export const ANALYZE_FROM_ROWS = 10_000;

/** SQLSTATE of a row whose key already exists. */
const UNIQUE_VIOLATION = '23505';
/** Citus replaces every SQLSTATE of a COPY by this one. Whatever the error was, the merge either succeeds or gets it again. */
const COPY_FAILED_ON_NODE = 'XX000';

const BEING_ERASED: LineProblem = {
  code: 'account_being_erased',
  detail: 'The account is being erased; complete the erasure, then stage the account.',
};

/** Maximum number of skipped accounts to name. */
const SKIPPED_NAMED_MAX = 20;

/** Stages accounts for import. */
@Injectable()
export class StagingService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly repository: StagingRepository,
    private readonly audit: AuditService,
  ) {}

  /**
   * Stage the good lines of a file, batch by batch. A batch is one transaction: a crash leaves whole batches, and staging the
   * file again completes the work. The next batches are read while others are written.
   *
   * New accounts, which nearly all are in a first file, are copied directly into their table. If one of them exists, the batch is
   * merged instead, which compares each record with the stored one. The audit log records the run when it stores its first batch,
   * and when it ends.
   *
   * @param readings see readAccountFile; the caller closes the file
   * @throws CommandError `supplier_not_found` or `import_supplier_migration_not_ongoing`, also while the file is read
   * Source: choices S2, S7, O6.
   */
  async stage(
    code: string,
    readings: AsyncGenerator<NumberedReading[]>,
    { operator, interrupted }: FileRun,
  ): Promise<StagingOutcome> {
    const record = this.audit.runOf(code, 'accounts.stage', operator);
    const outcome: StagingOutcome = {
      staged: 0,
      replaced: 0,
      skipped: 0,
      skippedNumbers: [],
      badLines: new Spool(),
      isInterrupted: false,
    };
    const run = { code, outcome, record };
    const writer = new StagingWriter((batch, isLikelyNew) => this.write(run, batch, isLikelyNew));
    try {
      await this.work.query((tx) => this.suppliers.ongoing(tx, code));
      const begin = (batch: AccountBatch): Promise<void> => writer.begin(batch);
      outcome.isInterrupted = await gather(readings, begin, outcome.badLines, interrupted);
      await writer.end();
      if (outcome.staged + outcome.replaced >= ANALYZE_FROM_ROWS) {
        await this.work.query((tx) => this.repository.analyze(tx));
      }
      await record.end(outcome.isInterrupted ? 'interrupted' : 'complete', countsOf(outcome));
      return outcome;
    } catch (error) {
      await writer.settled();
      await record.fail(countsOf(outcome));
      outcome.badLines.dispose();
      throw error;
    }
  }

  /**
   * @param isLikelyNew whether to try first to insert all accounts as new
   * @returns whether all of them were new
   */
  private async write(run: Run, batch: AccountBatch, isLikelyNew: boolean): Promise<boolean> {
    const inserted = isLikelyNew ? await this.insert(run, batch) : undefined;
    const { staged, replaced, skipped } = inserted ?? (await this.merge(run, batch));
    const { outcome } = run;
    outcome.staged += staged;
    outcome.replaced += replaced;
    outcome.skipped += skipped;
    return staged === batch.accounts;
  }

  /** @returns undefined if one of the accounts exists or may be being erased; then nothing of the batch is stored */
  private async insert({ code, record }: Run, batch: AccountBatch): Promise<StagedCounts | undefined> {
    try {
      return await record.write(async (tx) => {
        const supplier = await this.suppliers.ongoing(tx, code, 'keep');
        if (await this.repository.isAnyBeingErased(tx, supplier)) return undefined;
        return this.repository.insert(tx, supplier, batch);
      }, hasStored);
    } catch (error) {
      if ([UNIQUE_VIOLATION, COPY_FAILED_ON_NODE].includes(sqlState(error) ?? '')) return undefined;
      throw error;
    }
  }

  private async merge({ code, outcome, record }: Run, batch: AccountBatch): Promise<StagedCounts> {
    const unnamed = SKIPPED_NAMED_MAX - outcome.skippedNumbers.length;
    const { skippedNumbers, ...counts } = await record.write(async (tx) => {
      const supplier = await this.suppliers.ongoing(tx, code, 'keep');
      const written = await this.repository.merge(tx, supplier, batch);
      const isNamed = written.skipped > 0 && unnamed > 0;
      return {
        ...written,
        skippedNumbers: isNamed ? await this.repository.skippedNumbers(tx, supplier, batch, unnamed) : [],
      };
    }, hasStored);
    for (const number of counts.beingErased) {
      for (const line of batch.linesOf(number)) outcome.badLines.add({ line, ...BEING_ERASED });
    }
    // A concurrent batch may have added some meanwhile.
    outcome.skippedNumbers.push(
      ...skippedNumbers.slice(0, SKIPPED_NAMED_MAX - outcome.skippedNumbers.length),
    );
    return counts;
  }
}

/** State shared by the batches of one file. */
interface Run {
  readonly code: string;
  readonly outcome: StagingOutcome;
  readonly record: AuditRun;
}

function hasStored(counts: StagedCounts | undefined): boolean {
  return counts !== undefined && counts.staged + counts.replaced > 0;
}

/** Counts for the audit log: numbers only, no customer data. */
function countsOf({ staged, replaced, skipped, badLines }: StagingOutcome): object {
  return { staged, replaced, skipped, bad: badLines.length };
}
