import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/unit-of-work.js';
import type { ItemCounts } from '../import-progress.types.js';
import { TotalsRepository, type TotalsRow } from './totals.repository.js';
import type { MinuteTotals, SupplierTotals } from './totals.types.js';

/** Answers how much of each supplier is there, without counting it. */
@Injectable()
export class TotalsService {
  constructor(private readonly repository: TotalsRepository) {}

  /**
   * The totals of suppliers. While an importer holds a lease on pending accounts, these are in progress.
   *
   * @param importSupplierIds of suppliers that exist
   * @returns by their ids
   * Source: docs/decisions/0014-totals-behind-the-requests.md.
   */
  async totals(tx: Tx, importSupplierIds: readonly number[]): Promise<ReadonlyMap<number, SupplierTotals>> {
    const totals = new Map<number, SupplierTotals>();
    for (const id of importSupplierIds) totals.set(id, toTotals(await this.repository.totals(tx, id)));
    return totals;
  }

  /**
   * What was added to suppliers since a time, minute by minute. A minute in which nothing was is left out. The last
   * 25 hours are kept.
   *
   * @param since the beginning of the first minute
   * @returns in the order of the suppliers, then of time
   */
  async minutes(tx: Tx, importSupplierIds: readonly number[], since: Date): Promise<MinuteTotals[]> {
    const minutes: MinuteTotals[] = [];
    for (const importSupplierId of importSupplierIds) {
      for (const row of await this.repository.minutes(tx, importSupplierId, since)) {
        const { minute, requests, imported, failed } = row;
        minutes.push({ importSupplierId, minute, requests, items: itemsOf(row), imported, failed });
      }
    }
    return minutes;
  }
}

function toTotals(row: TotalsRow): SupplierTotals {
  const { pending, in_progress, imported, failed, requests, amount } = row;
  return {
    asOf: row.as_of,
    accounts: { pending, in_progress, imported, failed },
    loadedAccounts: row.loaded_accounts,
    requests,
    items: itemsOf(row),
    amount,
    lastRequestAt: row.last_request_at,
  };
}

function itemsOf({ notes, transactions, statements, payment_instructions }: ItemCounts): ItemCounts {
  return { notes, transactions, statements, payment_instructions };
}
