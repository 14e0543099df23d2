import { Injectable } from '@nestjs/common';
import { query, run } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { ImportSupplier } from '../import-suppliers/import-supplier.entity.js';

const LAST_SEQUENCE = query<{ sequence: number }>(
  'feed.last_sequence',
  `SELECT f.last_sequence::float8 AS sequence FROM {feed f} WHERE f.import_supplier_id = :import_supplier_id`,
);

@Injectable()
export class PlatformSuppliersRepository {
  /** Ordered by code. @param id of one supplier; null for all of them */
  list(tx: Tx, id: number | null): Promise<ImportSupplier[]> {
    return tx.find(ImportSupplier, { ...(id !== null && { where: { id } }), order: { code: 'ASC' } });
  }

  /** @returns the number of the newest change; 0 before the first one */
  async lastSequence(tx: Tx, importSupplierId: number): Promise<number> {
    return (await run(tx, LAST_SEQUENCE, { import_supplier_id: importSupplierId }))[0]?.sequence ?? 0;
  }
}
