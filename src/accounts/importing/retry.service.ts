import { Injectable } from '@nestjs/common';
import { Clock } from '../../infrastructure/clock/clock.js';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import type { ChangedAccount } from '../../infrastructure/audit/audit.types.js';
import { run, runForOne } from '../../infrastructure/database/query.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { recordChanges } from '../../infrastructure/change-log/record-changes.js';
import { RunsService } from '../../infrastructure/jobs/runs/runs.service.js';
import type { Run, RunName } from '../../infrastructure/jobs/runs/runs.types.js';
import { FIRST_FAILED, LAST_CAUSE } from './failure-cause.js';
import { NEXT_FAILED, PREVIEW, SET_PENDING } from './retry.queries.js';
import type { FailedAccounts, RetryOptions, RetryOutcome, RetryPreview } from './retry.types.js';

const retryOf = (code: string): RunName => ({ import_supplier: code, kind: 'retry' });

/** Accounts set to pending in one transaction. */
const BATCH_MAX = 1_000;

/** Sets accounts whose import failed to pending, so that the next import retries them. */
@Injectable()
export class RetryService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
    private readonly runs: RunsService,
  ) {}

  /**
   * Preview a retry without new data: an import reads the accounts as they were staged.
   *
   * @param countMax the number of failed accounts to examine
   * Source: choice C9.
   */
  preview(importSupplierId: number, cause: string, countMax: number): Promise<RetryPreview> {
    const wanted = { import_supplier_id: importSupplierId, today: this.clock.today(), count_max: countMax };
    return this.work.query((tx) => runForOne(tx, PREVIEW, { ...wanted, cause }));
  }

  /**
   * Set failed accounts to pending, batch by batch, whatever the supplier's status. A batch is one transaction, which also
   * updates the totals and records the failure of each account in the audit log, so that its history keeps it. A crash leaves
   * whole batches, and the same call completes the work. If an account is staged or imported at the same time, the row lock
   * decides.
   *
   * @throws CommandError `supplier_not_found`
   * Source: choices S3, O6, C9.
   */
  async retry(
    code: string,
    accounts: FailedAccounts,
    { operator, interrupted, onBatch }: RetryOptions,
  ): Promise<RetryOutcome> {
    const supplierId = await this.work.query((tx) => this.suppliers.id(tx, code));
    const record = this.audit.runOf(code, 'accounts.retry', operator);
    const retried = new Set<string>();
    let pending = 0;
    try {
      for await (const numbers of this.batches(supplierId, accounts)) {
        if (interrupted?.aborted) break;
        const changed = await record.write(
          async (tx) => {
            const rows = await run(tx, SET_PENDING, {
              import_supplier_id: supplierId,
              account_numbers: numbers,
            });
            await recordChanges(tx, supplierId, [{ failed: -rows.length, pending: rows.length }]);
            const change = { operator, action: 'account.retry', importSupplier: code } as const;
            await this.audit.recordOfAccounts(tx, change, rows);
            await onBatch?.(tx, rows.length);
            return rows;
          },
          (rows: ChangedAccount[]) => rows.length > 0,
        );
        pending += changed.length;
        if (isNumbers(accounts)) changed.forEach((row) => retried.add(row.external_account_number));
      }
    } catch (error) {
      await record.fail({ pending });
      throw error;
    }
    await record.end(interrupted?.aborted ? 'interrupted' : 'complete', { pending });
    const notFailed = isNumbers(accounts) ? accounts.numbers.filter((number) => !retried.has(number)) : [];
    return { pending, notFailed };
  }

  /**
   * Start to retry the failed accounts of a cause in the background: a cause may have a million of them. When the process shuts
   * down, the run ends after its current batch. The remaining accounts stay failed, and another run retries them.
   *
   * @param code of a supplier that exists
   * @param operator the name in the audit log
   * @returns false if a run of the supplier is already under way; then nothing is started
   * Source: choice C9.
   */
  begin(code: string, cause: string, operator: string): Promise<boolean> {
    return this.runs.begin(retryOf(code), ({ interrupted, advance: onBatch }) =>
      this.retry(code, { cause }, { operator, interrupted, onBatch }),
    );
  }

  /** The supplier's run that is under way or ended within the last hour. */
  findRun(code: string): Promise<Run | undefined> {
    return this.runs.find(retryOf(code));
  }

  private async *batches(supplierId: number, accounts: FailedAccounts): AsyncGenerator<readonly string[]> {
    if (isNumbers(accounts)) {
      const { numbers } = accounts;
      for (let start = 0; start < numbers.length; start += BATCH_MAX)
        yield numbers.slice(start, start + BATCH_MAX);
      return;
    }
    const [first, last] =
      accounts === 'all'
        ? [FIRST_FAILED, LAST_CAUSE]
        : [{ cause: accounts.cause, external_account_number: '' }, accounts.cause];
    for (let after = first; ;) {
      const page = await this.work.query((tx) =>
        run(tx, NEXT_FAILED, {
          import_supplier_id: supplierId,
          after_cause: after.cause,
          after_number: after.external_account_number,
          last_cause: last,
          count_max: BATCH_MAX,
        }),
      );
      const end = page.at(-1);
      if (!end) return;
      yield page.map(({ external_account_number }) => external_account_number);
      after = end;
    }
  }
}

function isNumbers(accounts: FailedAccounts): accounts is { readonly numbers: readonly string[] } {
  return accounts !== 'all' && 'numbers' in accounts;
}
