import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ImportSupplier, ImportSupplierGrant } from '../../../import-suppliers/import-supplier.entity.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { PageNotFound } from '../common/page-errors.js';
import { organisationOf, type SignedIn } from './signed-in.js';
import type { ViewedSupplier } from './viewed-suppliers.types.js';

/** The import suppliers that the signed-in user may see: an operator all of them, an admin those of the own organisation. */
@Injectable()
export class ViewedSuppliersService {
  constructor(
    private readonly work: UnitOfWork,
    @InjectRepository(ImportSupplier) private readonly suppliers: Repository<ImportSupplier>,
    @InjectRepository(ImportSupplierGrant) private readonly supplierGrants: Repository<ImportSupplierGrant>,
  ) {}

  /** All suppliers that the signed-in user may see, ordered by code. */
  list(signedIn: SignedIn): Promise<ViewedSupplier[]> {
    const where = grantedTo(signedIn);
    return this.work.query((tx) => tx.withRepository(this.suppliers).find({ where, order: { code: 'ASC' } }));
  }

  /**
   * The supplier with a code. Every page below `/console/suppliers/CODE` starts with it.
   *
   * @throws PageNotFound when there is none, or the signed-in user may not see it
   * Source: choice C3.
   */
  async find(signedIn: SignedIn, code: string): Promise<ViewedSupplier> {
    const where = { ...grantedTo(signedIn), code };
    const found = await this.work.query((tx) => tx.withRepository(this.suppliers).findOneBy(where));
    if (!found) throw new PageNotFound();
    return found;
  }

  /** The grants of a supplier with their organisations, ordered by name. */
  grants({ id: importSupplierId }: ViewedSupplier): Promise<ImportSupplierGrant[]> {
    return this.work.query((tx) =>
      tx.withRepository(this.supplierGrants).find({
        where: { importSupplierId },
        relations: { organisation: true },
        order: { organisation: { name: 'ASC' } },
      }),
    );
  }
}

function grantedTo(signedIn: SignedIn): object {
  const organisationId = organisationOf(signedIn);
  return organisationId === undefined ? {} : { grants: { organisationId } };
}
