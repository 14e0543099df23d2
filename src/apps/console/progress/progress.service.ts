import { Injectable } from '@nestjs/common';
import { TotalsService } from '../../../capabilities/totals/totals.service.js';
import type { MinuteTotals } from '../../../capabilities/totals/totals.types.js';
import { Clock } from '../../../infrastructure/clock/clock.js';
import { runForOne } from '../../../infrastructure/database/query.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { DocumentsService } from '../../../ingest/documents/documents.service.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import { forecast } from '../../../capabilities/totals/forecast.js';
import { rowProgress } from '../../../capabilities/totals/row-progress.js';
import { historySince, itemHistory } from './item-history.js';
import { bounded, COUNTED_MAX, documentSigns, REFUSALS } from './supplier-signs.js';
import {
  SPANS,
  type OneProgress,
  type Progress,
  type Span,
  type SupplierProgress,
} from './progress.types.js';

/** The progress of suppliers' migrations. */
@Injectable()
export class ProgressService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly totals: TotalsService,
    private readonly documents: DocumentsService,
  ) {}

  /**
   * Totals, forecast and signs of suppliers, and the rows loaded for all of them or for one. It runs a few bounded queries
   * for each supplier.
   *
   * @param suppliers that the signed-in user may see
   * @param span of the history of loaded rows
   * @param arrivedFor code of the supplier of the history; all by default
   * Source: decision 14 (docs/decisions/).
   */
  async of(suppliers: readonly ViewedSupplier[], span: Span, arrivedFor?: string): Promise<Progress> {
    const now = this.clock.now();
    const found: SupplierProgress[] = [];
    const minutes: MinuteTotals[] = [];
    for (const supplier of suppliers) {
      const isShown = arrivedFor === undefined || arrivedFor === supplier.code;
      const one = await this.read(supplier, now, isShown ? span : undefined);
      found.push(one.progress);
      minutes.push(...one.minutes);
    }
    const asOf = new Date(Math.min(now.getTime(), ...found.map(({ totals }) => totals.asOf.getTime())));
    return { now, asOf, suppliers: found, history: itemHistory(now, span, minutes) };
  }

  /** {@link of} for a single supplier. */
  async ofOne(supplier: ViewedSupplier, span: Span): Promise<OneProgress> {
    const now = this.clock.now();
    const { progress, minutes } = await this.read(supplier, now, span);
    return { now, progress, history: itemHistory(now, span, minutes) };
  }

  private read(
    supplier: ViewedSupplier,
    now: Date,
    span: Span | undefined,
  ): Promise<{ progress: SupplierProgress; minutes: MinuteTotals[] }> {
    const { id, status } = supplier;
    return this.work.atSupplier(id, (node) =>
      node.query(async (tx) => {
        const totals = await this.totals.totalsOf(tx, id);
        const { lastRequestAt } = totals;
        const pace = await this.totals.pace(tx, id, now);
        const countMax = COUNTED_MAX + 1;
        const documents = await this.documents.countsOf(tx, id, countMax);
        const refusals = await runForOne(tx, REFUSALS, { import_supplier_id: id, count_max: countMax });
        const signs = {
          refusals: bounded(refusals.count, COUNTED_MAX),
          ...documentSigns(documents, COUNTED_MAX),
        };
        const since = span && historySince(now, span);
        const isLoading = since && lastRequestAt !== null && lastRequestAt >= since;
        const minutes = isLoading ? await this.totals.minutes(tx, id, since, SPANS[span].stepMinutes) : [];
        const known = { supplier, totals, signs, pace };
        const [rows, expected] = [rowProgress(totals), forecast(now, status, totals, pace)];
        return { progress: { ...known, rows, forecast: expected }, minutes };
      }),
    );
  }
}
