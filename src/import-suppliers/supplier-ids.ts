import { Injectable } from '@nestjs/common';
import { BoundedMap } from '../infrastructure/limits/bounded-map.js';
import { query, run } from '../infrastructure/database/query.js';
import { findSupplierId } from '../infrastructure/database/supplier-codes.js';
import { UnitOfWork } from '../infrastructure/database/unit-of-work.js';

/** Most codes that a process caches, which is far more suppliers than a platform migrates from. */
const REMEMBERED_MAX = 10_000;

const FIND_IDS = query<{ code: string; id: number }>(
  'import_suppliers.find_ids',
  `SELECT s.code, s.id FROM import_supplier s WHERE s.code = ANY (:codes::text[])`,
);

/**
 * Caches the ids of import suppliers by code. An id never changes, so it is looked up once. Each query itself decides whether
 * the caller may use the supplier (choice A8).
 */
@Injectable()
export class SupplierIds {
  private readonly ids = new BoundedMap<string, number>(REMEMBERED_MAX);
  /** Pending look-ups. */
  private readonly lookups = new Map<string, Promise<number | undefined>>();

  constructor(private readonly work: UnitOfWork) {}

  /**
   * @returns undefined when there is no such supplier. This result is not cached, so a new supplier works at once
   * Source: choices A8, T14 (codes compare exactly).
   */
  async find(code: string): Promise<number | undefined> {
    const known = this.ids.get(code);
    if (known !== undefined) return known;
    const running = this.lookups.get(code);
    if (!running) return this.lookUp(code);
    // The pending look-up may miss a supplier created since it began, so only an id that it finds is used.
    return (await running) ?? this.lookUp(code);
  }

  /** The ids of several suppliers by code, with at most one query. Unknown codes are left out. */
  async findAll(codes: readonly string[]): Promise<Map<string, number>> {
    const unknown = codes.filter((code) => !this.ids.has(code));
    const rows =
      unknown.length > 0 ? await this.work.query((tx) => run(tx, FIND_IDS, { codes: unknown })) : [];
    const found = new Map(rows.map(({ code, id }) => [code, id]));
    for (const code of codes) {
      const known = this.ids.get(code);
      if (known !== undefined) found.set(code, known);
    }
    for (const { code, id } of rows) this.ids.set(code, id);
    return found;
  }

  private async lookUp(code: string): Promise<number | undefined> {
    const lookup = this.work.query((tx) => findSupplierId(tx, code));
    this.lookups.set(code, lookup);
    try {
      const id = await lookup;
      if (id !== undefined) this.ids.set(code, id);
      return id;
    } finally {
      if (this.lookups.get(code) === lookup) this.lookups.delete(code);
    }
  }
}
