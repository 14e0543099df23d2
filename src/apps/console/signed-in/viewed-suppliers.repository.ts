import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import { ImportSupplier, ImportSupplierGrant } from '../../../import-suppliers/import-supplier.entity.js';
import type { ViewedSupplier } from './viewed-suppliers.types.js';

@Injectable()
export class ViewedSuppliersRepository {
  /** @param organisationId of whose suppliers; undefined for all */
  list(tx: Tx, organisationId: string | undefined): Promise<ViewedSupplier[]> {
    return tx.find(ImportSupplier, { where: grantedTo(organisationId), order: { code: 'ASC' } });
  }

  find(tx: Tx, organisationId: string | undefined, code: string): Promise<ViewedSupplier | null> {
    return tx.findOne(ImportSupplier, { where: { ...grantedTo(organisationId), code } });
  }

  /** The grants of a supplier with their organisations, ordered by name. */
  grants(tx: Tx, importSupplierId: number): Promise<ImportSupplierGrant[]> {
    return tx.find(ImportSupplierGrant, {
      where: { importSupplierId },
      relations: { organisation: true },
      order: { organisation: { name: 'ASC' } },
    });
  }
}

function grantedTo(organisationId: string | undefined): object {
  return organisationId === undefined ? {} : { grants: { organisationId } };
}
