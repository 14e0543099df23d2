import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { PageNotFound } from '../common/page-errors.js';
import { organisationOf, type SignedIn } from './signed-in.js';
import { ViewedSuppliersRepository } from './viewed-suppliers.repository.js';
import type { ViewedSupplier } from './viewed-suppliers.types.js';

/** The import suppliers that the signed-in user may see: an operator all of them, an admin those of the own organisation. */
@Injectable()
export class ViewedSuppliersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: ViewedSuppliersRepository,
  ) {}

  /** All suppliers that the signed-in user may see, ordered by code. */
  list(signedIn: SignedIn): Promise<ViewedSupplier[]> {
    return this.work.query((tx) => this.repository.list(tx, organisationOf(signedIn)));
  }

  /**
   * The supplier with a code. Every page below `/console/suppliers/CODE` starts with it.
   *
   * @throws PageNotFound when there is none, or the signed-in user may not see it
   * Source: choice C3.
   */
  async find(signedIn: SignedIn, code: string): Promise<ViewedSupplier> {
    const found = await this.work.query((tx) => this.repository.find(tx, organisationOf(signedIn), code));
    if (!found) throw new PageNotFound();
    return found;
  }
}
