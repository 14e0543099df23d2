import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import { Batcher } from '../database/batcher.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { SupplierIds } from '../import-suppliers/supplier-ids.js';
import type { AccountRef } from './account-ref.js';
import { AccountsRepository } from './accounts.repository.js';
import type { AccountStatusRow, StatusRequest } from './accounts.types.js';

/** Finds the status of accounts; requests for accounts of the same supplier share a query. */
@Injectable()
export class AccountStatusBatcher extends Batcher<StatusRequest, AccountStatusRow> {
  constructor(
    work: UnitOfWork,
    private readonly supplierIds: SupplierIds,
    private readonly repository: AccountsRepository,
  ) {
    super(work);
  }

  /** @returns nothing when there is no such supplier */
  async find(caller: Caller, account: AccountRef): Promise<AccountStatusRow | undefined> {
    const importSupplierId = await this.supplierIds.find(account.importSupplier);
    if (importSupplierId === undefined) return undefined;
    return this.enqueue(importSupplierId, { caller, externalAccountNumber: account.externalAccountNumber });
  }

  protected override execute(
    tx: Tx,
    importSupplierId: number,
    requests: readonly StatusRequest[],
  ): Promise<AccountStatusRow[]> {
    return this.repository.findStatus(tx, importSupplierId, requests);
  }
}
