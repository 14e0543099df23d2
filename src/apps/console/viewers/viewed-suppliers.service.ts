import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { PageNotFound } from '../common/page-errors.js';
import { organisationOf, type Viewer } from './viewer.js';
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
  list(viewer: Viewer): Promise<ViewedSupplier[]> {
    return this.work.single((tx) => this.repository.list(tx, organisationOf(viewer)));
  }

  /**
   * The supplier with a code. Every page below `/console/suppliers/CODE` begins with it.
   *
   * @throws PageNotFound when there is none, or the viewer does not see it
   * Source: choice C3.
   */
  async find(viewer: Viewer, code: string): Promise<ViewedSupplier> {
    const found = await this.work.single((tx) => this.repository.find(tx, organisationOf(viewer), code));
    if (!found) throw new PageNotFound();
    return found;
  }
}
