import { Injectable } from '@nestjs/common';
import { TimedCache } from '../common/timed-cache.js';
import { query, runForOne } from '../database/query.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/** How long an entry is used. A revocation takes effect after this and the time of one read; choice A8 allows 5 s. */
const TTL_MS = 2_000;
const IS_GRANTED = query<{ is_granted: boolean }>(
  'import_suppliers.is_granted',
  `SELECT EXISTS (
            SELECT FROM import_supplier_grant g
             WHERE g.import_supplier_id = :import_supplier_id AND g.organisation_id = :organisation_id
          ) AS is_granted`,
);

/**
 * Caches for two seconds which suppliers the primary says are granted. Only reads from a standby use it: every other query
 * reads the grant itself, and the grants of a standby may be out of date.
 *
 * Nothing is cached of a query that fails, so that nothing is permitted while the primary does not answer.
 */
@Injectable()
export class GrantCache {
  private readonly cache = new TimedCache<boolean>(TTL_MS);

  constructor(private readonly work: UnitOfWork) {}

  /**
   * Whether a supplier was granted to an organisation at most two seconds ago. A new grant may not be seen yet: ask the
   * primary before a caller is refused.
   *
   * Source: choices A8, O8.
   */
  isGranted(importSupplierId: number, organisationId: string): Promise<boolean> {
    const key = `${importSupplierId} ${organisationId}`;
    return this.cache.get(key) ?? this.cache.set(key, this.load(importSupplierId, organisationId));
  }

  private async load(importSupplierId: number, organisationId: string): Promise<boolean> {
    const parameters = { import_supplier_id: importSupplierId, organisation_id: organisationId };
    return (await this.work.single((tx) => runForOne(tx, IS_GRANTED, parameters))).is_granted;
  }
}
