import { Injectable } from '@nestjs/common';
import type { PlatformCaller } from '../auth/platform-caller.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { SupplierStatus } from '../import-suppliers/import-supplier.entity.js';
import { PlatformSuppliersRepository } from './platform-suppliers.repository.js';

/** A supplier whose changes can be read. */
export interface PlatformSupplier {
  readonly code: string;
  readonly name: string;
  readonly status: SupplierStatus;
  /** Number of the newest change; 0 before the first one. */
  readonly sequence: number;
}

/** The suppliers as the platform sees them. */
@Injectable()
export class PlatformSuppliersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: PlatformSuppliersRepository,
  ) {}

  /**
   * The suppliers whose changes a key of the platform may read, ordered by code.
   *
   * Source: choices E1, E5.
   */
  async list({ importSupplierId }: PlatformCaller): Promise<PlatformSupplier[]> {
    const suppliers = await this.work.single((tx) => this.repository.list(tx, importSupplierId));
    const listed: PlatformSupplier[] = [];
    // One by one, because each feed may be on a node of its own.
    for (const { id, code, name, status } of suppliers) {
      const sequence = await this.work.atSupplier(id, (at) =>
        at.single((tx) => this.repository.lastSequence(tx, id)),
      );
      listed.push({ code, name, status, sequence });
    }
    return listed;
  }
}
