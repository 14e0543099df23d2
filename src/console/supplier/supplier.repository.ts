import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/unit-of-work.js';
import { ImportSupplierGrant } from '../../import-suppliers/import-supplier.entity.js';

@Injectable()
export class SupplierRepository {
  /** The grants of a supplier with their organisations, ordered by name. */
  grants(tx: Tx, importSupplierId: number): Promise<ImportSupplierGrant[]> {
    return tx.find(ImportSupplierGrant, {
      where: { importSupplierId },
      relations: { organisation: true },
      order: { organisation: { name: 'ASC' } },
    });
  }
}
