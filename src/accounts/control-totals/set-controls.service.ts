import { Injectable } from '@nestjs/common';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { lockTotals } from '../../infrastructure/change-log/totals-lock.js';
import { run } from '../../infrastructure/database/query.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { numbersOf } from '../files/account-batch.js';
import type { FileRun } from '../files/gather.js';
import type { AccountRecord, NumberedReading } from '../files/line-reading.js';
import { ACCOUNT_NOT_FOUND, setAccounts, type SettingOutcome } from '../files/set-accounts.js';
import { setControls } from './control-rows.js';
import { LOCK, UPDATE_STATES } from './set-controls.queries.js';

/**
 * Changes the control totals of accounts that are already staged, whatever the status of their supplier.
 *
 * Two transactions compare an imported account with its totals: the one that sets the totals, and later each one that
 * carries over changes of the account (capabilities/totals/carry-over.repository.ts). Both hold the supplier's totals lock,
 * so one of them sees every change.
 */
@Injectable()
export class SetControlsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Set or remove the control totals of the accounts in a file, batch by batch. Each changed account is recorded in the audit log
   * without its amount. A batch is one transaction: a crash leaves whole batches, and running the same file again completes the
   * work.
   *
   * @param readings of a file with lines of control totals; the caller closes the file
   * @throws CommandError `supplier_not_found`
   * Source: choices V6, O6.
   */
  async setAll(
    code: string,
    readings: AsyncGenerator<NumberedReading[]>,
    { operator, interrupted }: FileRun,
  ): Promise<SettingOutcome> {
    const id = await this.work.query((tx) => this.suppliers.id(tx, code));
    const context = { operator, importSupplier: code };
    const record = this.audit.runOf(code, 'accounts.set_controls', operator);
    return setAccounts(readings, interrupted, record, async (tx, records) => {
      // Lock before reading. From here on, the transaction that carries over a stored change also updates the account's state.
      await lockTotals(tx, id, true);
      const existing = await run(tx, LOCK, { import_supplier_id: id, numbers: numbersOf(records) });
      const known = new Set(existing.map(({ external_account_number }) => external_account_number));
      const isKnown = ({ externalAccountNumber }: AccountRecord): boolean => known.has(externalAccountNumber);
      const accounts = await setControls(tx, id, records.filter(isKnown));
      const numbers = accounts.map(({ external_account_number }) => external_account_number);
      if (numbers.length > 0) await run(tx, UPDATE_STATES, { import_supplier_id: id, numbers });
      await this.audit.recordOfAccounts(tx, { ...context, action: 'account.set_control' }, accounts);
      const unknown = records.filter((record) => !isKnown(record));
      const refused = unknown.map(
        ({ externalAccountNumber }) => [externalAccountNumber, ACCOUNT_NOT_FOUND] as const,
      );
      return { changed: accounts.length, refused: new Map(refused) };
    });
  }
}
