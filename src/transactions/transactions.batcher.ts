import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { SupplierIds } from '../import-suppliers/supplier-ids.js';
import { ImportBatcher } from '../imports/import-batcher.js';
import { TransactionsRepository } from './transactions.repository.js';
import type { ImportMode } from '../imports/import-request.js';
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

  /** The suppliers whose last request had a transaction outside the open statement period. */
  private readonly outside = new Set<string>();

  /**
   * Import, and move dates where the rules say so. The query that can move is sent at once where the supplier's last request
   * needed it, else only when the other one has left the request to it.
   *
   * @throws AppError as {@link ImportBatcher.import}
   * Source: choice X7.
   */
  async importMoving(
    request: Omit<TransactionsRequest, 'mayMove'>,
    mode: ImportMode,
  ): Promise<TransactionsRow> {
    const { importSupplier } = request.account;
    const { forceIntoOpenPeriod } = request.rules;
    let row = await this.import(
      { ...request, mayMove: forceIntoOpenPeriod && this.outside.has(importSupplier) },
      mode,
    );
    if (row.has_outside) this.outside.add(importSupplier);
    else if (forceIntoOpenPeriod) this.outside.delete(importSupplier);
    if (row.has_outside && !row.moves) row = await this.import({ ...request, mayMove: true }, mode);
    return row;
  }

  protected override execute(
    tx: Tx,
    importSupplierId: number,
    requests: readonly TransactionsRequest[],
  ): Promise<TransactionsRow[]> {
    return this.repository.book(tx, importSupplierId, requests);
  }
}
