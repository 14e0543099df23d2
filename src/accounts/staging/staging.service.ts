import { Injectable } from '@nestjs/common';
import type { AuditRun } from '../../infrastructure/audit/audit-run.js';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { Spool } from '../../infrastructure/files/spool.js';
import { sqlState, UNIQUE_VIOLATION } from '../../infrastructure/errors/sql-state.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import type { AccountBatch } from '../files/account-batch.js';
import { gather, type FileRun } from '../files/gather.js';
import {
  shownLine,
  type BadLine,
  type LineProblem,
  type NumberedReading,
  type ReadLines,
} from '../files/line-reading.js';
import { newNumberProblem } from './new-number.js';
import { besideRepeats, findRepeats } from './repeated-numbers.js';
import { STAGED_LINES } from './staged-record.js';
import { StagingWriter } from './staging-writer.js';
import { StagingRepository, type Repeat, type StagedCounts } from './staging.repository.js';

/** Outcome of a file. Each line that is not blank counts once. */
export interface StagingOutcome {
  staged: number;
  /** Replaced a pending or failed record of an earlier file. */
  replaced: number;
  /** Already imported, so not changed; or repeated. */
  skipped: number;
  /** Some of the numbers that are already imported. */
  readonly skippedNumbers: string[];
  /** Every line that has the number and content of an earlier one; the caller disposes of them. */
  readonly repeated: Spool<RepeatedLine>;
  /**
   * Every bad line; the caller disposes of them. They are in order, except those whose account is being erased: these are only
   * known when their batch is written.
   */
  readonly badLines: Spool<BadLine>;
  /** Whether the run stopped before the end of the file. */
  isInterrupted: boolean;
}

/** A line that was skipped, because an earlier one has its number and content. */
export interface RepeatedLine {
  readonly line: number;
  readonly first_line: number;
}

/** If at least this many rows changed, the planner's statistics are updated at once. */
export const ANALYZE_FROM_ROWS = 10_000;

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
   * Stage the good lines of a file, batch by batch, after a reading that finds repeated numbers. A batch is one transaction: a
   * crash leaves whole batches, and staging the file again completes the work. The next batches are read while others are written.
   *
   * New accounts, which nearly all are in a first file, are copied directly into their table. If one of them exists, the batch is
   * merged instead, which compares each record with the stored one. The audit log records the run when it stores its first batch,
   * and when it ends.
   *
   * @param read the file, which the caller closes
   * @throws CommandError `supplier_not_found` or `import_supplier_migration_not_ongoing`, also while the file is read
   * Source: choices S2, S7, O6.
   */
  async stage(code: string, read: ReadLines, { operator, interrupted }: FileRun): Promise<StagingOutcome> {
    const record = this.audit.runOf(code, 'accounts.stage', operator);
    const outcome: StagingOutcome = {
      staged: 0,
      replaced: 0,
      skipped: 0,
      skippedNumbers: [],
      repeated: new Spool(),
      badLines: new Spool(),
      isInterrupted: false,
    };
    const run = { code, outcome, record };
    const writer = new StagingWriter((batch, isLikelyNew) => this.write(run, batch, isLikelyNew));
    let repeats: Spool<Repeat> | undefined;
    try {
      await this.work.query((tx) => this.suppliers.ongoing(tx, code));
      repeats = await findRepeats(read, interrupted, (rows) =>
        this.work.write((tx) => this.repository.repeats(tx, rows)),
      );
      const readings = this.stageable(run, read(STAGED_LINES), repeats);
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
      outcome.repeated.dispose();
      throw error;
    } finally {
      repeats?.dispose();
    }
  }

  /** The readings of a file without lines that are repeated, and with a problem for each number that cannot be staged. */
  private async *stageable(
    { code, outcome }: Run,
    readings: AsyncGenerator<NumberedReading[]>,
    repeats: Spool<Repeat>,
  ): AsyncGenerator<NumberedReading[]> {
    for await (const [block, repeated] of besideRepeats(readings, repeats)) {
      const problems = await this.newNumberProblems(code, block);
      const used: NumberedReading[] = [];
      for (const reading of block) {
        const { line } = reading;
        const problem = problems.get(line);
        const repeat = repeated.get(line);
        if (problem) used.push({ line, problem });
        else if (!repeat) used.push(reading);
        else if (!repeat.isSame) used.push({ line, problem: differenceProblem(repeat) });
        else {
          outcome.skipped += 1;
          outcome.repeated.add({ line: shownLine(line), first_line: shownLine(repeat.otherLine) });
        }
      }
      yield used;
    }
  }

  /** @returns by line, why numbers that are not stored cannot be staged */
  private async newNumberProblems(
    code: string,
    block: readonly NumberedReading[],
  ): Promise<ReadonlyMap<number, LineProblem>> {
    const suspects = block.flatMap((reading) => {
      const problem = 'record' in reading ? newNumberProblem(reading.record) : undefined;
      return problem && 'record' in reading ? [{ ...reading, problem }] : [];
    });
    if (suspects.length === 0) return new Map();
    const stored = await this.work.query(async (tx) => {
      const supplier = await this.suppliers.ongoing(tx, code);
      const records = suspects.map(({ record }) => record);
      return this.repository.storedNumbers(tx, supplier, records);
    });
    const isNew = ({ record }: (typeof suspects)[number]): boolean =>
      !stored.has(record.externalAccountNumber);
    return new Map(suspects.filter(isNew).map(({ line, problem }) => [line, problem]));
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
      for (const line of batch.linesOf(number))
        outcome.badLines.add({ line: shownLine(line), ...BEING_ERASED });
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

/** Why a repeated line is not staged. */
function differenceProblem({ otherLine }: Repeat): LineProblem {
  return {
    code: 'duplicate_external_account_numbers',
    detail: `external_account_number: Line ${shownLine(otherLine)} has the same number and other content. Neither is staged; keep one of them.`,
  };
}

/** Counts for the audit log: numbers only, no customer data. */
function countsOf({ staged, replaced, skipped, badLines }: StagingOutcome): object {
  return { staged, replaced, skipped, bad: badLines.length };
}
