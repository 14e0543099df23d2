import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { DocumentLookup } from '../documents/document-lookup.js';
import { SupplierIds } from '../import-suppliers/supplier-ids.js';
import { DocumentImportBatcher } from '../imports/document-check.js';
import { StatementsRepository } from './statements.repository.js';
import type { StatementsRequest, StatementsRow } from './statements.types.js';

/** Runs the imports of historical statements. */
@Injectable()
export class StatementsBatcher extends DocumentImportBatcher<StatementsRequest, StatementsRow> {
  constructor(
    work: UnitOfWork,
    supplierIds: SupplierIds,
    lookup: DocumentLookup,
    private readonly repository: StatementsRepository,
  ) {
    super(work, supplierIds, lookup);
  }

  protected override execute(
    tx: Tx,
    importSupplierId: number,
    requests: readonly StatementsRequest[],
  ): Promise<StatementsRow[]> {
    return this.repository.attach(tx, importSupplierId, requests);
  }

  protected override pathsToCheck({ items }: StatementsRequest, { unchanged }: StatementsRow): string[] {
    const onAccount = new Set(unchanged);
    return items.flatMap(({ statementPath = [] }, index) => (onAccount.has(index) ? [] : statementPath));
  }
}
