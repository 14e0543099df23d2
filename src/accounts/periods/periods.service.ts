import { Injectable } from '@nestjs/common';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { recordChanges, type HeardChange } from '../../infrastructure/change-log/record-changes.js';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import { run } from '../../infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { numbersOf } from '../files/account-batch.js';
import type { FileRun } from '../files/gather.js';
import type { AccountRecord, LineProblem, NumberedReading } from '../files/line-reading.js';
import { accountNotFound } from '../status/account-not-found.js';
import { ACCOUNT_NOT_FOUND, setAccounts, type SettingOutcome } from '../files/set-accounts.js';
import type { AccountRef } from '../../ingest/account-ref.js';
import { LOCK, SET, UNKNOWN, type Period } from './periods.queries.js';

/** The period to set. */
export interface PeriodChange {
  /** First day, `YYYY-MM-DD`, included. */
  readonly from: string;
  /** Last day, included; null for none; undefined leaves it as it is. */
  readonly to: string | null | undefined;
}

/**
 * Changes open statement periods after the import, because the platform bills meanwhile. The supplier's status makes no
 * difference.
 *
 * One query changes a period in one row, so a concurrent POST sees either the old period or the new one.
 */
@Injectable()
export class PeriodsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Change the period of one imported account. The audit log records which of its days changed but not the days themselves,
   * because they would outlive the customer's erasure.
   *
   * @param operator the name in the audit log
   * @returns the period
   * @throws CommandError `supplier_not_found`, `account_not_found`, `account_not_imported` or `start_date_later_than_end_date`
   * Source: choices S9, O6.
   */
  set(
    { importSupplier, externalAccountNumber }: AccountRef,
    change: PeriodChange,
    operator: string,
  ): Promise<Period> {
    return this.work.write(async (tx) => {
      const supplier = await this.suppliers.id(tx, importSupplier);
      const key = { import_supplier_id: supplier, account_number: externalAccountNumber };
      const [account] = await run(tx, LOCK, key);
      if (account?.status !== 'imported') {
        if (!account) throw accountNotFound({ importSupplier, externalAccountNumber });
        throw new CommandError(
          NOT_IMPORTED.code,
          `The account ${externalAccountNumber} of ${importSupplier} is not imported yet, so it has no period.`,
        );
      }
      const after = {
        open_statement_from: change.from,
        open_statement_to: change.to === undefined ? (account.open_statement_to ?? null) : change.to,
      };
      if (after.open_statement_to !== null && after.open_statement_from > after.open_statement_to) {
        throw new CommandError(
          'start_date_later_than_end_date',
          `The open statement period would begin on ${after.open_statement_from} and end on ${after.open_statement_to}, before it begins.`,
        );
      }
      const record = {
        externalAccountNumber,
        openStatementFrom: after.open_statement_from,
        openStatementTo: after.open_statement_to ?? undefined,
        account: undefined,
      };
      await this.setBatch(tx, supplier, [record], { operator, importSupplier });
      return after;
    });
  }

  /**
   * Set the periods of the accounts in a file, batch by batch. The audit log records each changed account. A batch is one
   * transaction: a crash leaves whole batches, and running the same file again completes the work.
   *
   * @param readings of a file with lines of periods; the caller closes the file
   * @throws CommandError `supplier_not_found`
   * Source: choices S9, O6.
   */
  async setAll(
    code: string,
    readings: AsyncGenerator<NumberedReading[]>,
    { operator, interrupted }: FileRun,
  ): Promise<SettingOutcome> {
    const id = await this.work.query((tx) => this.suppliers.id(tx, code));
    const record = this.audit.runOf(code, 'accounts.set_periods', operator);
    return setAccounts(readings, interrupted, record, async (tx, records) => {
      const changed = await this.setBatch(tx, id, records, { operator, importSupplier: code });
      const unknown = await run(tx, UNKNOWN, { import_supplier_id: id, numbers: numbersOf(records) });
      const refused = unknown.map(
        ({ external_account_number: number, is_staged }) =>
          [number, is_staged ? NOT_IMPORTED : ACCOUNT_NOT_FOUND] as const,
      );
      return { changed, refused: new Map(refused) };
    });
  }

  /** Set the periods of imported accounts, and record each changed account. @returns how many changed */
  private async setBatch(
    tx: Tx,
    importSupplierId: number,
    records: readonly AccountRecord[],
    context: { readonly operator: string; readonly importSupplier: string },
  ): Promise<number> {
    const periods = records.map(({ externalAccountNumber, openStatementFrom, openStatementTo }) => [
      externalAccountNumber,
      [openStatementFrom, openStatementTo].filter((day) => day !== undefined).map(daysSince2000),
    ]);
    const accounts = await run(tx, SET, {
      import_supplier_id: importSupplierId,
      numbers: numbersOf(records),
      periods: JSON.stringify(Object.fromEntries(periods)),
    });
    await this.audit.recordOfAccounts(tx, { ...context, action: 'account.set_period' }, accounts);
    const changes = accounts.map(({ external_account_number }): HeardChange => ({
      type: 'account.period_changed',
      external_account_number,
    }));
    await recordChanges(tx, importSupplierId, changes);
    return accounts.length;
  }
}

const DAY_MS = 86_400_000;

/** @param day `YYYY-MM-DD` */
function daysSince2000(day: string): number {
  return (Date.parse(day) - Date.UTC(2000, 0, 1)) / DAY_MS;
}

const NOT_IMPORTED: LineProblem = {
  code: 'account_not_imported',
  detail: 'external_account_number: The account is not imported; stage it again to give it another period.',
};
