import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { SupplierIds } from '../import-suppliers/supplier-ids.js';
import { ImportBatcher } from '../imports/import-batcher.js';
import type { ImportRequest } from '../imports/import-request.js';
import { PaymentInstructionsRepository } from './payment-instructions.repository.js';
import type {
  FoundInstructionRow,
  InsertedInstructionRow,
  NewInstruction,
  VerifiedInstruction,
} from './payment-instructions.types.js';

/** Finds out which instructions the accounts have, before a request to a vendor. */
@Injectable()
export class FindInstructionsBatcher extends ImportBatcher<
  ImportRequest<NewInstruction>,
  FoundInstructionRow
> {
  constructor(
    work: UnitOfWork,
    supplierIds: SupplierIds,
    private readonly repository: PaymentInstructionsRepository,
  ) {
    super(work, supplierIds);
  }

  protected override execute(
    tx: Tx,
    importSupplierId: number,
    requests: readonly ImportRequest<NewInstruction>[],
  ): Promise<FoundInstructionRow[]> {
    return this.repository.find(tx, importSupplierId, requests);
  }
}

/** Runs the imports of payment instructions. */
@Injectable()
export class PaymentInstructionsBatcher extends ImportBatcher<
  ImportRequest<VerifiedInstruction>,
  InsertedInstructionRow
> {
  constructor(
    work: UnitOfWork,
    supplierIds: SupplierIds,
    private readonly repository: PaymentInstructionsRepository,
  ) {
    super(work, supplierIds);
  }

  protected override execute(
    tx: Tx,
    importSupplierId: number,
    requests: readonly ImportRequest<VerifiedInstruction>[],
  ): Promise<InsertedInstructionRow[]> {
    return this.repository.insertMissing(tx, importSupplierId, requests);
  }
}
