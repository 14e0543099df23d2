import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { GrantedSuppliersRepository, type GrantedSupplier } from './granted-suppliers.repository.js';

/** What callers may know of the import suppliers. */
@Injectable()
export class GrantedSuppliersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: GrantedSuppliersRepository,
  ) {}

  /**
   * The import suppliers that the caller may use, ordered by code.
   *
   * Source: contract A4, A8.
   */
  list(caller: Caller): Promise<GrantedSupplier[]> {
    return this.work.single((tx) => this.repository.list(tx, caller.organisationId));
  }
}
