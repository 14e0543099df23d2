import { Injectable } from '@nestjs/common';
import { TotalsService } from '../../accounts/totals/totals.service.js';
import type { SupplierTotals } from '../../accounts/totals/totals.types.js';
import { Clock } from '../../common/clock.js';
import { UnitOfWork, type Tx } from '../../database/unit-of-work.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.repository.js';
import { forecast, forecastSince } from './forecast.js';
import { historySince, itemHistory } from './item-history.js';
import { ProgressRepository } from './progress.repository.js';
import {
  SPANS,
  type BoundedCount,
  type Progress,
  type Span,
  type SupplierProgress,
} from './progress.types.js';

/** How far the migrations of suppliers are, for the pages that show it. */
@Injectable()
export class ProgressService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly totals: TotalsService,
    private readonly repository: ProgressRepository,
  ) {}

  /**
   * Totals, forecast and signs of suppliers, and what arrived for all of them together. A few bounded queries for each supplier.
   *
   * @param suppliers that the viewer sees
   * @param span of what arrived
   * Source: docs/decisions/0014-totals-behind-the-requests.md.
   */
  of(suppliers: readonly ViewedSupplier[], span: Span): Promise<Progress> {
    return this.work.single(async (tx) => {
      const now = this.clock.now();
      const since = historySince(now, span);
      const ids = suppliers.map(({ id }) => id);
      const totals = await this.totals.totals(tx, ids);
      const active = ids.filter((id) => (totals.get(id)?.lastRequestAt?.getTime() ?? 0) >= since.getTime());
      const minutes = await this.totals.minutes(tx, active, since, SPANS[span].stepMinutes);
      const found: SupplierProgress[] = [];
      for (const supplier of suppliers) {
        const own = totals.get(supplier.id);
        if (own) found.push(await this.progress(tx, supplier, own));
      }
      const asOf = new Date(Math.min(now.getTime(), ...found.map((one) => one.totals.asOf.getTime())));
      return { now, asOf, suppliers: found, history: itemHistory(now, span, minutes) };
    });
  }

  /** Documents of a supplier that no check has seen in the store. */
  documentsNotSeen({ id }: ViewedSupplier): Promise<BoundedCount> {
    return this.work.single((tx) => this.repository.documentsNotSeen(tx, id));
  }

  private async progress(
    tx: Tx,
    supplier: ViewedSupplier,
    totals: SupplierTotals,
  ): Promise<SupplierProgress> {
    const { asOf, accounts } = totals;
    const signs = await this.repository.signs(tx, supplier.id, forecastSince(asOf));
    return {
      supplier,
      totals,
      signs,
      forecast: forecast(asOf, supplier.status, accounts, signs.importedRecently),
    };
  }
}
