import { Injectable } from '@nestjs/common';
import { BoundedMap } from '../infrastructure/limits/bounded-map.js';
import { query, run } from '../infrastructure/database/query.js';
import { findSupplierId } from '../infrastructure/database/supplier-codes.js';
import { UnitOfWork } from '../infrastructure/database/unit-of-work.js';

/** Codes that a process remembers; far more than a platform migrates from. */
const REMEMBERED_MAX = 10_000;

const FIND_IDS = query<{ code: string; id: number }>(
  'import_suppliers.find_ids',
  `SELECT s.code, s.id FROM import_supplier s WHERE s.code = ANY (:codes::text[])`,
);

/**
 * The id of an import supplier, by its code. It never changes, so it is looked up once; whether the caller may use the
 * supplier is decided by each query itself (choice A8).
 */
@Injectable()
export class SupplierIds {
  private readonly ids = new BoundedMap<string, number>(REMEMBERED_MAX);
  /** Lookups that are under way. */
  private readonly lookups = new Map<string, Promise<number | undefined>>();

  constructor(private readonly work: UnitOfWork) {}

  /**
   * @returns nothing when there is no such supplier; that is not remembered, so a new supplier works at once
   * Source: choices A8, T14 (codes compare exactly).
   */
  async find(code: string): Promise<number | undefined> {
    const known = this.ids.get(code);
    if (known !== undefined) return known;
    const running = this.lookups.get(code);
    if (!running) return this.lookUp(code);
    // It may have missed a supplier that was created since it began; only what it finds counts.
    return (await running) ?? this.lookUp(code);
  }

  /** The ids of several suppliers, by code, with at most one query. Codes of no supplier are left out. */
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
