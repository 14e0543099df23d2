import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { AuditEntry } from '../../audit/audit-entry.entity.js';
import type { Tx } from '../../database/unit-of-work.js';
import { ImportSupplierGrant } from '../../import-suppliers/import-supplier.entity.js';

/** Events that a page lists. */
const EVENTS_MAX = 50;

@Injectable()
export class SupplierRepository {
  /** The grants of a supplier with their organisations, ordered by name. */
  grants(tx: Tx, importSupplierId: number): Promise<ImportSupplierGrant[]> {
    return tx.find(ImportSupplierGrant, {
      where: { importSupplierId },
      relations: { organisation: true },
      order: { organisation: { name: 'ASC' } },
    });
  }

  /** The last changes of a supplier itself, newest first. @param actions that are listed */
  events(tx: Tx, code: string, actions: readonly string[]): Promise<AuditEntry[]> {
    return tx.find(AuditEntry, {
      where: { importSupplier: code, externalAccountNumber: IsNull(), action: In(actions) },
      order: { at: 'DESC', id: 'DESC' },
      take: EVENTS_MAX,
    });
  }
}
