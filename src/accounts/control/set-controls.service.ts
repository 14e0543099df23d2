import { Injectable } from '@nestjs/common';
import { AuditService } from '../../audit/audit.service.js';
import { Spool } from '../../common/spool.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import type { AccountBatch } from '../account-file/account-batch.js';
import { gather } from '../account-file/gather.js';
import type { BadLine, LineProblem, NumberedReading } from '../account-file/line-reading.js';
import { CarryOverRepository } from '../totals/carry-over.repository.js';
import { ControlRepository } from './control.repository.js';

/** Outcome of a file; each line that is not blank counts once. */
export interface ControlsOutcome {
  changed: number;
  /** The account has these totals already, or a later line of the file gives it others. */
  unchanged: number;
  /** Every bad line, to be disposed of by the caller; those without an account come with their batch. */
  readonly badLines: Spool<BadLine>;
  /** Whether it was stopped before the end of the file. */
  isInterrupted: boolean;
}

const NOT_FOUND: LineProblem = {
  code: 'account_not_found',
  detail: 'external_account_number: The import supplier has no such account.',
};

/** Changes what accounts must hold after they were staged, whatever the status of their supplier. */
@Injectable()
export class SetControlsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly changes: CarryOverRepository,
    private readonly repository: ControlRepository,
    private readonly audit: AuditService,
  ) {}

  /**
   * Set or remove the control totals of the accounts of a file, batch by batch, and record each that changes, without its amount.
   * A batch is one transaction: after a crash whole batches are done, and the same file again completes it.
   *
   * @param readings of a file whose lines are control totals; the caller closes their source
   * @param interrupted stops after the batch that is being written, also while no input arrives
   * @throws CommandError `supplier_not_found`
   * Source: choices V6, O6.
   */
  async setAll(
    code: string,
    readings: AsyncGenerator<NumberedReading[]>,
    { operator, interrupted }: { readonly operator: string; readonly interrupted: AbortSignal },
  ): Promise<ControlsOutcome> {
    const outcome: ControlsOutcome = {
      changed: 0,
      unchanged: 0,
      badLines: new Spool(),
      isInterrupted: false,
    };
    try {
      const id = await this.work.single((tx) => this.suppliers.id(tx, code));
      const write = (batch: AccountBatch): Promise<void> =>
        this.write(outcome, { code, id, operator }, batch);
      outcome.isInterrupted = await gather(readings, write, outcome.badLines, interrupted);
      return outcome;
    } catch (error) {
      outcome.badLines.dispose();
      throw error;
    }
  }

  private async write(
    outcome: ControlsOutcome,
    { code, id, operator }: { readonly code: string; readonly id: number; readonly operator: string },
    batch: AccountBatch,
  ): Promise<void> {
    const records = batch.records();
    const { changed, known } = await this.work.write(async (tx) => {
      // Before anything is read: what is stored from now on is judged by whoever takes its change.
      await this.changes.lock(tx, id, true);
      const numbers = await this.repository.lockKnown(tx, id, records);
      const ofAccounts = records.filter(({ externalAccountNumber }) => numbers.has(externalAccountNumber));
      const accounts = await this.repository.change(tx, id, ofAccounts);
      const change = { operator, action: 'account.set_control', importSupplier: code } as const;
      await this.audit.recordOfAccounts(tx, change, accounts);
      return { changed: accounts.length, known: numbers };
    });
    let bad = 0;
    for (const { externalAccountNumber } of records) {
      if (known.has(externalAccountNumber)) continue;
      for (const line of batch.linesOf(externalAccountNumber)) {
        outcome.badLines.add({ line, ...NOT_FOUND });
        bad += 1;
      }
    }
    outcome.changed += changed;
    outcome.unchanged += batch.length - bad - changed;
  }
}
