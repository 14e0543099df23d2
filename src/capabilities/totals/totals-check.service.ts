import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { lockTotals } from '../../infrastructure/change-log/totals-lock.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { TotalsCheckRepository, type ComparedTotals } from './totals-check.repository.js';
import type { Misjudged, TotalsCheck } from './totals.types.js';

/** Compares the totals with the rows that they count. */
@Injectable()
export class TotalsCheckService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly repository: TotalsCheckRepository,
    private readonly audit: AuditService,
  ) {}

  /**
   * Count everything of a supplier in one snapshot, then the accounts with a wrong stored result. Imports continue
   * meanwhile; what they store is on both sides or on neither.
   *
   * @throws CommandError `supplier_not_found`
   * Source: choice O10; decision 14 (docs/decisions/).
   */
  async check(code: string): Promise<TotalsCheck> {
    const id = await this.work.query((tx) => this.suppliers.id(tx, code));
    const compared = await this.work.query((tx) => this.repository.compare(tx, id));
    const misjudged = await this.work.query((tx) => this.repository.countMisjudged(tx, id));
    return toCheck(compared, misjudged);
  }

  /**
   * Run {@link check}, and replace totals that do not agree. No change is carried over meanwhile; waiting changes are added
   * afterwards as usual. The repair is recorded.
   *
   * @throws CommandError `supplier_not_found`
   */
  async repair(code: string, operator: string): Promise<TotalsCheck> {
    const id = await this.work.query((tx) => this.suppliers.id(tx, code));
    return this.work.write(async (tx) => {
      await lockTotals(tx, id, true);
      // Compared after the lock, so that the snapshot includes what the lock waited for.
      const compared = await this.repository.compare(tx, id);
      const misjudged = await this.repository.countMisjudged(tx, id);
      const check = toCheck(compared, misjudged);
      if (check.agrees) return check;
      await this.repository.replace(tx, id, compared.repaired);
      if (!isRight(misjudged)) await this.repository.judgeAll(tx, id);
      const details = { from: compared.totals, to: compared.rows, misjudged };
      await this.audit.record(tx, {
        operator,
        action: 'totals.repair',
        subject: code,
        importSupplier: code,
        details,
      });
      return { ...check, isRepaired: true };
    });
  }
}

function isRight({ controls, unloaded }: Misjudged): boolean {
  return controls + unloaded === 0;
}

function toCheck({ totals, rows }: ComparedTotals, misjudged: Misjudged): TotalsCheck {
  const agrees = isRight(misjudged) && isDeepStrictEqual(totals, rows);
  return { agrees, totals, rows, misjudged, isRepaired: false };
}
