import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { ImportSupplier } from './import-supplier.entity.js';

@Injectable()
export class GrantedSuppliersRepository {
  /** The suppliers that are granted to an organisation, ordered by code. */
  list(tx: Tx, organisationId: string): Promise<ImportSupplier[]> {
    return tx.find(ImportSupplier, { where: { grants: { organisationId } }, order: { code: 'ASC' } });
  }
}
