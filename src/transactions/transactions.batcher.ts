import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { SupplierIds } from '../import-suppliers/supplier-ids.js';
import { ImportBatcher } from '../imports/import-batcher.js';
import { TransactionsRepository } from './transactions.repository.js';
import type { TransactionsRequest, TransactionsRow } from './transactions.types.js';

/** Runs the imports of transactions. */
@Injectable()
export class TransactionsBatcher extends ImportBatcher<TransactionsRequest, TransactionsRow> {
  constructor(
    work: UnitOfWork,
    supplierIds: SupplierIds,
    private readonly repository: TransactionsRepository,
  ) {
    super(work, supplierIds);
  }

  protected override execute(
    tx: Tx,
    importSupplierId: number,
    requests: readonly TransactionsRequest[],
  ): Promise<TransactionsRow[]> {
    return this.repository.book(tx, importSupplierId, requests);
  }
}
