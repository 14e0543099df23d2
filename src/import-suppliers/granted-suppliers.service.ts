import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { GrantedSuppliersRepository } from './granted-suppliers.repository.js';
import type { ImportSupplier } from './import-supplier.entity.js';

/** What an organisation sees of a supplier. */
export type GrantedSupplier = Pick<ImportSupplier, 'code' | 'name' | 'status'>;

/** The import suppliers as callers see them. */
@Injectable()
export class GrantedSuppliersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: GrantedSuppliersRepository,
  ) {}

  /**
   * The import suppliers that the caller may use, ordered by code.
   *
   * Source: choices A4, A8.
   */
  async list(caller: Caller): Promise<GrantedSupplier[]> {
    const suppliers = await this.work.single((tx) => this.repository.list(tx, caller.organisationId));
    return suppliers.map(({ code, name, status }) => ({ code, name, status }));
  }
}
