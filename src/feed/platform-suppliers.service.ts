import { Injectable } from '@nestjs/common';
import type { PlatformCaller } from '../auth/caller.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ImportSupplier } from '../import-suppliers/import-supplier.entity.js';
import { ChangesRepository } from './changes.repository.js';

/** A supplier whose changes can be read. */
export interface PlatformSupplier extends Readonly<Pick<ImportSupplier, 'code' | 'name' | 'status'>> {
  /** Number of the newest change; 0 before the first one. */
  readonly sequence: number;
}

/** The suppliers as the platform sees them. */
@Injectable()
export class PlatformSuppliersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly changes: ChangesRepository,
  ) {}

  /**
   * The suppliers whose changes a key of the platform may read, ordered by code.
   *
   * Source: choices E1, E5.
   */
  async list({ importSupplierId: only }: PlatformCaller): Promise<PlatformSupplier[]> {
    const suppliers = await this.work.single((tx) =>
      tx.find(ImportSupplier, { ...(only !== null && { where: { id: only } }), order: { code: 'ASC' } }),
    );
    const listed: PlatformSupplier[] = [];
    // One by one, because each feed may be on a node of its own.
    for (const { id, code, name, status } of suppliers) {
      const head = await this.work.atSupplier(id, (at) => at.single((tx) => this.changes.head(tx, id)));
      listed.push({ code, name, status, sequence: head?.lastSequence ?? 0 });
    }
    return listed;
  }
}
