import { Injectable } from '@nestjs/common';
import { run, query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type { ImportSupplier } from './import-supplier.entity.js';

/** What an organisation sees of a supplier. */
export type GrantedSupplier = Pick<ImportSupplier, 'code' | 'name' | 'status'>;

const LIST_GRANTED = query<GrantedSupplier>(
  'import_suppliers.list_granted',
  `SELECT s.code, s.name, s.status
     FROM import_supplier_grant g
     JOIN import_supplier s ON s.id = g.import_supplier_id
    WHERE g.organisation_id = $1
    ORDER BY s.code`,
);

@Injectable()
export class GrantedSuppliersRepository {
  /** The suppliers granted to an organisation, by code. */
  list(tx: Tx, organisationId: string): Promise<GrantedSupplier[]> {
    return run(tx, LIST_GRANTED, [organisationId]);
  }
}
