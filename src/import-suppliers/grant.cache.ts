import { Injectable } from '@nestjs/common';
import { query, runForOne } from '../database/query.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/** How long an entry is used. A revocation takes effect after this and the time of one read; choice A8 allows 5 s. */
const TTL_MS = 2_000;
/** The largest number of entries; beyond it the oldest is evicted. */
const ENTRIES_MAX = 10_000;

interface Entry {
  readonly loadedAtMs: number;
  readonly isGranted: Promise<boolean>;
}

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
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly work: UnitOfWork) {}

  /**
   * Whether a supplier was granted to an organisation at most two seconds ago. A new grant may not be seen yet: ask the
   * primary before a caller is refused.
   *
   * Source: choices A8, O8.
   */
  isGranted(importSupplierId: number, organisationId: string): Promise<boolean> {
    const key = `${importSupplierId} ${organisationId}`;
    const entry = this.entries.get(key);
    const now = performance.now();
    if (entry && now - entry.loadedAtMs < TTL_MS) return entry.isGranted;
    const isGranted = this.load(key, importSupplierId, organisationId);
    this.store(key, { loadedAtMs: now, isGranted });
    return isGranted;
  }

  private async load(key: string, importSupplierId: number, organisationId: string): Promise<boolean> {
    const parameters = { import_supplier_id: importSupplierId, organisation_id: organisationId };
    try {
      const { is_granted } = await this.work.single((tx) => runForOne(tx, IS_GRANTED, parameters));
      return is_granted;
    } catch (error) {
      this.entries.delete(key);
      throw error;
    }
  }

  private store(key: string, entry: Entry): void {
    this.entries.delete(key);
    this.entries.set(key, entry);
    const [oldest] = this.entries.keys();
    if (this.entries.size > ENTRIES_MAX && oldest !== undefined) this.entries.delete(oldest);
  }
}
