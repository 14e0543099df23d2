import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { lockTotals } from '../../infrastructure/change-log/totals-lock.js';
import { recordOtherChange } from '../../infrastructure/change-log/record-changes.js';
import { run, runForOne } from '../../infrastructure/database/query.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import * as queries from './totals-check.queries.js';
import type { WrongAccounts, TotalsCheck } from './totals.types.js';

/** Compares the totals with the rows that they count. */
@Injectable()
export class TotalsCheckService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Compare the totals of a supplier with its rows in one snapshot. Then count the accounts whose stored state is wrong: the
   * result of the comparison with their control totals, or whether they have an import request. Imports continue meanwhile; each
   * row that they store is counted on both sides of the comparison or on neither.
   *
   * @throws CommandError `supplier_not_found`
   * Source: choice O10; decision 14 (docs/decisions/).
   */
  async check(code: string): Promise<TotalsCheck> {
    const id = await this.work.query((tx) => this.suppliers.id(tx, code));
    const supplier = { import_supplier_id: id };
    const compared = await this.work.query((tx) => runForOne(tx, queries.COMPARE, supplier));
    const wrong = await this.work.query((tx) => runForOne(tx, queries.WRONG_ACCOUNTS, supplier));
    return toCheck(compared, wrong);
  }

  /**
   * Run {@link check}, and replace totals that do not agree. No change is carried over meanwhile; waiting changes are added
   * afterwards as usual. The repair is recorded.
   *
   * @throws CommandError `supplier_not_found`
   */
  async repair(code: string, operator: string): Promise<TotalsCheck> {
    const id = await this.work.query((tx) => this.suppliers.id(tx, code));
    const supplier = { import_supplier_id: id };
    return this.work.write(async (tx) => {
      await lockTotals(tx, id, true);
      // The comparison runs after the lock is taken, so its snapshot includes the transactions that the lock waited for.
      const compared = await runForOne(tx, queries.COMPARE, supplier);
      const wrong = await runForOne(tx, queries.WRONG_ACCOUNTS, supplier);
      const check = toCheck(compared, wrong);
      if (check.agrees) return check;
      await run(tx, queries.REPLACE, { ...supplier, ...compared.repaired });
      if (hasWrongAccounts(wrong)) {
        await run(tx, queries.JUDGE_ALL, supplier);
        await run(tx, queries.REPLACE_UNLOADED, supplier);
        await recordOtherChange(tx, id);
      }
      const details = { from: compared.totals, to: compared.rows, misjudged: wrong };
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

function hasWrongAccounts({ controls, unloaded }: WrongAccounts): boolean {
  return controls + unloaded > 0;
}

function toCheck({ totals, rows }: queries.ComparedTotals, wrong: WrongAccounts): TotalsCheck {
  const agrees = !hasWrongAccounts(wrong) && isDeepStrictEqual(totals, rows);
  return { agrees, totals, rows, wrong, isRepaired: false };
}
