import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ImportSuppliersService } from '../import-suppliers/import-suppliers.service.js';
import { accountNotFound } from '../accounts/account-not-found.js';
import type { AccountRef } from '../accounts/account-ref.js';
import { ImportProgressRepository } from './import-progress.repository.js';
import { TotalsService } from './totals.service.js';
import type { AccountDetails, ImportProgress } from './import-progress.types.js';

/** Answers operators how far an import is. */
@Injectable()
export class ImportProgressService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly repository: ImportProgressRepository,
    private readonly totals: TotalsService,
  ) {}

  /**
   * Accounts by state, items by kind, accounts that differ from their control totals, and the last error: everything that was stored
   * before the call.
   *
   * @throws CommandError `supplier_not_found`
   * Source: choices, section 6 (`migration status`), V6.
   */
  async supplier(code: string): Promise<ImportProgress> {
    const id = await this.work.single((tx) => this.suppliers.id(tx, code));
    await this.totals.carryOver(id);
    return this.work.single(async (tx) => {
      const { accounts, items, control } = await this.totals.totalsOf(tx, id);
      const { status, lastError } = await this.repository.supplierProgress(tx, id);
      return { status, accounts, items, control, lastError: lastError ?? undefined };
    });
  }

  /**
   * Everything that is known of one account.
   *
   * @throws CommandError `supplier_not_found` or `account_not_found`
   * Source: choices, section 6 (`accounts show`).
   */
  account(account: AccountRef): Promise<AccountDetails> {
    const { importSupplier, externalAccountNumber } = account;
    return this.work.single(async (tx) => {
      const supplier = await this.suppliers.id(tx, importSupplier);
      const row = await this.repository.findAccount(tx, supplier, externalAccountNumber);
      if (!row) throw accountNotFound(account);
      return row;
    });
  }
}
