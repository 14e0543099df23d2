import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { AuditRepository } from './audit.repository.js';
import type { OperatorChange } from './audit.types.js';

/** Who changed what. */
@Injectable()
export class AuditService {
  constructor(private readonly repository: AuditRepository) {}

  /**
   * Record an operator change in the transaction that makes it, so that neither exists without the other.
   *
   * Source: choice O6.
   */
  record(tx: Tx, change: OperatorChange): Promise<void> {
    return this.repository.insert(tx, change);
  }
}
