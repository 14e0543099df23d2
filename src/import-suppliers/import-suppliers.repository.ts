import { Injectable } from '@nestjs/common';
import { run, statement } from '../database/statement.js';
import type { Tx } from '../database/unit-of-work.js';
import type { SupplierStatus } from './import-supplier.entity.js';

const STATUS = statement<{ id: number; status: SupplierStatus }>(
  'import-suppliers.status',
  `SELECT id, status FROM import_supplier WHERE code = $1`,
);

@Injectable()
export class ImportSuppliersRepository {
  async findStatus(tx: Tx, code: string): Promise<{ id: number; status: SupplierStatus } | undefined> {
    const [row] = await run(tx, STATUS, [code]);
    return row;
  }
}
