import { Injectable } from '@nestjs/common';
import { Refusal } from '../common/refusal.js';
import type { Tx } from '../database/unit-of-work.js';
import { ImportSuppliersRepository } from './import-suppliers.repository.js';

/** Import suppliers, set up by the operator only (specification 2.10, 3.2). */
@Injectable()
export class ImportSuppliersService {
  constructor(private readonly repository: ImportSuppliersRepository) {}

  /** @throws Refusal `supplier_not_found` */
  async id(tx: Tx, code: string): Promise<number> {
    const found = await this.repository.findStatus(tx, code);
    if (!found) throw new Refusal('supplier_not_found', `There is no import supplier with the code ${code}.`);
    return found.id;
  }
}
