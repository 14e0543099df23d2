import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { PageNotFound } from '../common/page-errors.js';
import { organisationOf, type SignedIn } from './signed-in.js';
import { ViewedSuppliersRepository } from './viewed-suppliers.repository.js';
import type { ViewedSupplier } from './viewed-suppliers.types.js';

/** The import suppliers that a viewer sees: an operator all, an admin those of the own organisation. */
@Injectable()
export class ViewedSuppliersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: ViewedSuppliersRepository,
  ) {}

  /** All that the viewer sees, ordered by code. */
  list(signedIn: SignedIn): Promise<ViewedSupplier[]> {
    return this.work.query((tx) => this.repository.list(tx, organisationOf(signedIn)));
  }

  /**
   * The supplier with a code. Every page below `/console/suppliers/CODE` begins with it.
   *
   * @throws PageNotFound when there is none, or the viewer does not see it
   * Source: choice C3.
   */
  async find(signedIn: SignedIn, code: string): Promise<ViewedSupplier> {
    const found = await this.work.query((tx) => this.repository.find(tx, organisationOf(signedIn), code));
    if (!found) throw new PageNotFound();
    return found;
  }
}
