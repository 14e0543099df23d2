import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { AuditEntry } from './audit-entry.entity.js';
import type { OperatorChange } from './audit.types.js';

@Injectable()
export class AuditRepository {
  async insert(tx: Tx, change: OperatorChange): Promise<void> {
    await tx.insert(AuditEntry, change);
  }
}
