import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { changedValues } from '../../audit/changed-values.js';
import { CommandError } from '../../common/command-error.js';
import { Spool } from '../../common/spool.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import type { AccountBatch } from '../account-file/account-batch.js';
import { gather } from '../account-file/gather.js';
import type { BadLine, LineProblem, NumberedReading } from '../account-file/line-reading.js';
import type { AccountRef } from '../account-ref.js';
import { PeriodsRepository, type Period } from './periods.repository.js';

/** The period to set. */
export interface PeriodChange {
  /** First day, `YYYY-MM-DD`, included. */
  readonly from: string;
  /** Last day, included; null for none; undefined leaves it as it is. */
  readonly to: string | null | undefined;
}

/** Outcome of a file; each line that is not blank counts once. */
export interface PeriodsOutcome {
  changed: number;
  /** The account has this period already, or a later line of the file gives it another one. */
  unchanged: number;
  /** Every bad line, to be disposed of by the caller; those without an imported account come with their batch. */
  readonly badLines: Spool<BadLine>;
  /** Whether it was stopped before the end of the file. */
  isInterrupted: boolean;
}

/**
 * Changes open statement periods after the import, because the platform bills meanwhile, whatever the supplier's status.
 *
 * A period is changed in one row by one query, so a POST at the same moment sees the old period or the new one.
 */
@Injectable()
export class PeriodsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly repository: PeriodsRepository,
    private readonly audit: AuditService,
  ) {}

  /**
   * Change the period of one imported account, and record it.
   *
   * @param operator the name that is recorded
   * @returns the period
   * @throws CommandError `supplier_not_found`, `account_not_found`, `account_not_imported` or
   *   `start_date_later_than_end_date`
   * Source: choices S9, O6.
   */
  set(
    { importSupplier, externalAccountNumber }: AccountRef,
    change: PeriodChange,
    operator: string,
  ): Promise<Period> {
    return this.work.write(async (tx) => {
      const supplier = await this.suppliers.id(tx, importSupplier);
      const account = await this.repository.lock(tx, supplier, externalAccountNumber);
      if (account?.status !== 'imported') {
        const { code, detail } = account ? NOT_IMPORTED : NOT_FOUND;
        throw new CommandError(code, detail);
      }
      const before = {
        open_statement_from: account.open_statement_from ?? change.from,
        open_statement_to: account.open_statement_to ?? null,
      };
      const after = {
        open_statement_from: change.from,
        open_statement_to: change.to === undefined ? before.open_statement_to : change.to,
      };
      if (after.open_statement_to !== null && after.open_statement_from > after.open_statement_to) {
        throw new CommandError(
          'start_date_later_than_end_date',
          `The open statement period would begin on ${after.open_statement_from} and end on ${after.open_statement_to}, before it begins.`,
        );
      }
      if (changedValues(before, after)) {
        await this.repository.set(tx, supplier, externalAccountNumber, after);
        await this.audit.record(tx, {
          operator,
          action: 'account.set_period',
          subject: externalAccountNumber,
          importSupplier,
          externalAccountNumber,
          details: { from: before, to: after },
        });
      }
      return after;
    });
  }

  /**
   * Set the periods of the accounts of a file, batch by batch, and record each that changes. A batch is one transaction:
   * after a crash whole batches are done, and the same file again completes it.
   *
   * @param readings of a file whose lines are periods; the caller closes their source
   * @param interrupted stops after the batch that is being written, also while no input arrives
   * @throws CommandError `supplier_not_found`
   * Source: choices S9, O6.
   */
  async setAll(
    code: string,
    readings: AsyncGenerator<NumberedReading[]>,
    { operator, interrupted }: { readonly operator: string; readonly interrupted: AbortSignal },
  ): Promise<PeriodsOutcome> {
    const outcome: PeriodsOutcome = {
      changed: 0,
      unchanged: 0,
      badLines: new Spool(),
      isInterrupted: false,
    };
    try {
      const id = await this.work.single((tx) => this.suppliers.id(tx, code));
      const change = { operator, action: 'account.set_period', importSupplier: code } as const;
      const write = async (batch: AccountBatch): Promise<void> => {
        const records = batch.records();
        const { changed, unknown } = await this.work.write(async (tx) => {
          const accounts = await this.repository.setAll(tx, id, records);
          await this.audit.recordOfAccounts(tx, change, accounts);
          return { changed: accounts.length, unknown: await this.repository.listUnknown(tx, id, records) };
        });
        let bad = 0;
        for (const { external_account_number, is_staged } of unknown) {
          for (const line of batch.linesOf(external_account_number)) {
            outcome.badLines.add({ line, ...(is_staged ? NOT_IMPORTED : NOT_FOUND) });
            bad += 1;
          }
        }
        outcome.changed += changed;
        outcome.unchanged += batch.length - bad - changed;
      };
      outcome.isInterrupted = await gather(readings, write, outcome.badLines, interrupted);
      return outcome;
    } catch (error) {
      outcome.badLines.dispose();
      throw error;
    }
  }
}

const NOT_FOUND: LineProblem = {
  code: 'account_not_found',
  detail: 'external_account_number: The import supplier has no such account.',
};
const NOT_IMPORTED: LineProblem = {
  code: 'account_not_imported',
  detail: 'external_account_number: The account is not imported; stage it again to give it another period.',
};
