import { Injectable } from '@nestjs/common';
import { judge } from '../../../capabilities/conditions/conditions.js';
import { ConditionsService } from '../../../capabilities/conditions/conditions.service.js';
import { cutOverOf } from '../../../capabilities/conditions/cut-over.js';
import { TotalsService } from '../../../capabilities/totals/totals.service.js';
import { Clock } from '../../../infrastructure/clock/clock.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { PageNotFound } from '../common/page-errors.js';
import { organisationOf, type SignedInUser } from '../signed-in/signed-in-user.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import { historySince, itemHistory } from './item-history.js';
import {
  SPANS,
  type OneProgress,
  type Progress,
  type Span,
  type SupplierProgress,
} from './progress.types.js';

/** No reader of the feed: an admin does not learn of the platform's programs (choice E6). */
const NO_LAG = { changes: 0, seconds: 0 };

/** The progress of suppliers' migrations. */
@Injectable()
export class ProgressService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly totals: TotalsService,
    private readonly conditions: ConditionsService,
  ) {}

  /**
   * Totals, forecast and conditions of suppliers, and the rows loaded for all of them. It runs a few bounded queries.
   *
   * @param suppliers that the signed-in user may see
   * @param span of the history of loaded rows
   * Source: decisions 14 and 29 (docs/decisions/).
   */
  async of(user: SignedInUser, suppliers: readonly ViewedSupplier[], span: Span): Promise<Progress> {
    const now = this.clock.now();
    const today = this.clock.today();
    const all = await this.conditions.factsOf(suppliers, organisationOf(user));
    const found = all.map((facts): SupplierProgress => {
      const seen = user.kind !== 'admin' ? facts : { ...facts, lag: NO_LAG };
      return { ...seen, ...judge(seen, now), cutOver: cutOverOf(seen, today) };
    });
    const since = historySince(now, span);
    const shown = found.filter(
      ({ totals: { lastRequestAt } }) => lastRequestAt !== null && lastRequestAt >= since,
    );
    const minutes = await this.work.queryOf(
      shown.map(({ supplier }) => supplier.id),
      (tx, ids) => this.totals.minutes(tx, ids, since, SPANS[span].stepMinutes),
    );
    const asOf = new Date(Math.min(now.getTime(), ...found.map(({ totals }) => totals.asOf.getTime())));
    return { now, asOf, suppliers: found, history: itemHistory(now, span, minutes) };
  }

  /** {@link of} for a single supplier. @throws PageNotFound when it no longer exists */
  async ofOne(user: SignedInUser, supplier: ViewedSupplier, span: Span): Promise<OneProgress> {
    const { suppliers, history } = await this.of(user, [supplier], span);
    const [progress] = suppliers;
    if (!progress) throw new PageNotFound();
    return { progress, history };
  }
}
