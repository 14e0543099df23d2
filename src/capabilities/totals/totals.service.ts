import { Injectable } from '@nestjs/common';
import { NumberingService } from '../../infrastructure/change-log/numbering.service.js';
import { lockTotals } from '../../infrastructure/change-log/totals-lock.js';
import { run, runForOne } from '../../infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../../infrastructure/database/unit-of-work.js';
import { CarryOverRepository } from './carry-over.repository.js';
import { paceSince, type Pace } from './forecast.js';
import { IMPORTING, MINUTES, TOTALS } from './stored-totals.queries.js';
import type { MinuteTotals, SupplierTotals } from './totals.types.js';

/**
 * The target number of changes in a step, about half a second of work. More changes are split into parts by account. Each step reads
 * all changes to find its part, so the parts are kept few.
 */
const CHANGES_PER_STEP = 50_000;

/** Tells how much of each supplier is stored, without counting the rows. */
@Injectable()
export class TotalsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly changes: CarryOverRepository,
    private readonly numbering: NumberingService,
  ) {}

  /**
   * Carry the changes of a supplier over to its totals, so that these include everything that was stored before the call,
   * and count the accounts that differ from their control totals. Waits for another process that is doing this.
   *
   * Source: choices O10, V6; decisions 14 and 16 (docs/decisions/).
   */
  async carryOver(importSupplierId: number): Promise<void> {
    while (await this.carryOverSome(importSupplierId, true));
    await this.work.atSupplier(importSupplierId, (node) =>
      node.write(async (tx) => {
        await lockTotals(tx, importSupplierId, true);
        await this.changes.countControls(tx, importSupplierId);
      }),
    );
  }

  /**
   * One step of {@link carryOver}, in its own transaction: it takes some of the changes out and adds them to the totals.
   * When there are many, it takes those of one part of the accounts, chosen at random so that no account is left out
   * forever. From time to time it counts the accounts that differ from their control totals.
   *
   * If an operator's command holds the lock on the totals and `canWait` is false, the step only numbers the changes.
   *
   * @param canWait whether to wait for another process that carries over changes of the supplier
   * @returns whether there may be more to do; also false when another process is doing this and `canWait` is false
   */
  async carryOverSome(importSupplierId: number, canWait: boolean): Promise<boolean> {
    const { work, changes, numbering } = this;
    const waiting = await work.queryAt(importSupplierId, (tx) => changes.findWork(tx, importSupplierId));
    if (waiting.changes === 0 && !waiting.areControlsDue) return false;
    const parts = Math.max(Math.ceil(waiting.changes / CHANGES_PER_STEP), 1);
    const part = Math.floor(Math.random() * parts);
    return work.atSupplier(importSupplierId, (node) =>
      node.write(async (tx) => {
        const isTotalsLocked = await lockTotals(tx, importSupplierId, canWait);
        if (!(await numbering.lock(tx, importSupplierId, canWait))) return false;
        if (!isTotalsLocked) return numbering.number(tx, importSupplierId).then(() => false);
        await changes.carryOver(tx, importSupplierId, { number: part, parts });
        if (waiting.areControlsDue) await changes.countControls(tx, importSupplierId);
        return parts > 1;
      }),
    );
  }

  /**
   * The totals of a supplier. Pending accounts that an importer holds a lease on count as in progress.
   *
   * @param importSupplierId the id of an existing supplier
   * Source: choice O10; decision 14 (docs/decisions/).
   */
  async totalsOf(tx: Tx, importSupplierId: number): Promise<SupplierTotals> {
    const { controlsAt, ...totals } = await runForOne(tx, TOTALS, { import_supplier_id: importSupplierId });
    return { ...totals, control: { ...totals.control, at: controlsAt } };
  }

  /**
   * How fast the migration of a supplier currently proceeds.
   *
   * Source: choice C12.
   */
  async pace(tx: Tx, importSupplierId: number, now: Date): Promise<Pace> {
    const importing = await runForOne(tx, IMPORTING, { import_supplier_id: importSupplierId });
    return { ...importing, minutes: await this.minutes(tx, [importSupplierId], paceSince(now), 1) };
  }

  /**
   * The counts added to suppliers since a time, by minute or in steps of several minutes. Steps in which nothing was added
   * are left out. The last 25 hours are kept.
   *
   * @param since the beginning of the first step
   * @param stepMinutes the length of a step. The first step of all begins at 1970-01-01T00:00Z
   * @returns of each supplier in the order of time
   */
  minutes(
    tx: Tx,
    importSupplierIds: readonly number[],
    since: Date,
    stepMinutes: number,
  ): Promise<(MinuteTotals & { readonly importSupplierId: number })[]> {
    return run(tx, MINUTES, {
      import_supplier_ids: importSupplierIds,
      since: since.toISOString(),
      step_minutes: stepMinutes,
    });
  }
}
