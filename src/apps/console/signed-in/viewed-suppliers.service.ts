import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ImportSupplierGrant } from '../../../import-suppliers/import-supplier.entity.js';
import { run, type QueryParameters } from '../../../infrastructure/database/query.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { PageNotFound } from '../common/page-errors.js';
import { organisationOf, type SignedInUser } from './signed-in-user.js';
import { FIND_VIEWED, LIST_VIEWED } from './viewed-suppliers.queries.js';
import type { ViewedSupplier } from './viewed-suppliers.types.js';

/** The import suppliers that the signed-in user may see: an operator all of them, an admin those of the own organisation. */
@Injectable()
export class ViewedSuppliersService {
  constructor(
    private readonly work: UnitOfWork,
    @InjectRepository(ImportSupplierGrant) private readonly supplierGrants: Repository<ImportSupplierGrant>,
  ) {}

  /** All suppliers that the signed-in user may see, ordered by code. */
  list(user: SignedInUser): Promise<ViewedSupplier[]> {
    return this.work.query((tx) => run(tx, LIST_VIEWED, grantedTo(user)));
  }

  /**
   * The supplier with a code. Every page below `/console/suppliers/CODE` starts with it.
   *
   * @throws PageNotFound when there is none, or the signed-in user may not see it
   * Source: choice C3.
   */
  async find(user: SignedInUser, code: string): Promise<ViewedSupplier> {
    const wanted = { ...grantedTo(user), code };
    const [found] = await this.work.query((tx) => run(tx, FIND_VIEWED, wanted));
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

function grantedTo(user: SignedInUser): QueryParameters {
  return { organisation_id: organisationOf(user) ?? null };
}
