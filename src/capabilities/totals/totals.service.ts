import { Injectable } from '@nestjs/common';
import { NumberingService } from '../../infrastructure/change-log/numbering.service.js';
import { lockTotals } from '../../infrastructure/change-log/totals-lock.js';
import { UnitOfWork, type Tx } from '../../infrastructure/database/unit-of-work.js';
import { CarryOverRepository } from './carry-over.repository.js';
import { paceSince, type Pace } from './forecast.js';
import { TotalsRepository } from './totals.repository.js';
import type { MinuteTotals, SupplierTotals } from './totals.types.js';

/** Changes of one step: half a second of work. Finding a part takes reading all, so there are few parts. */
const CHANGES_MAX = 50_000;

/** Answers how much of each supplier is there, without counting it. */
@Injectable()
export class TotalsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: TotalsRepository,
    private readonly changes: CarryOverRepository,
    private readonly numbering: NumberingService,
  ) {}

  /**
   * Carry the changes of a supplier over to its totals, so that these contain everything that was stored before the call, and
   * count the accounts that differ from their control totals. It waits for a process that is at it.
   *
   * Source: choices O10, V6; decisions 14 and 16 (docs/decisions/).
   */
  async carryOver(importSupplierId: number): Promise<void> {
    while (await this.carryOverSome(importSupplierId, true));
    await this.work.atSupplier(importSupplierId, (at) =>
      at.write(async (tx) => {
        await lockTotals(tx, importSupplierId, true);
        await this.changes.countControls(tx, importSupplierId);
      }),
    );
  }

  /**
   * One step of {@link carryOver}: a transaction of its own, which takes some of the changes out and adds them to the totals. When
   * there are many it takes those of a part of the accounts, chosen at random so that no account is left out for ever. From time
   * to time it counts the accounts that differ from their control totals. While an operator's command holds the totals, and this does
   * not wait, it numbers the changes nevertheless.
   *
   * @param canWait whether to wait for another process that carries over changes of the supplier
   * @returns whether there may be more to do; false also when another process is at it and this one did not wait
   */
  async carryOverSome(importSupplierId: number, canWait: boolean): Promise<boolean> {
    const { work, changes, numbering } = this;
    const waiting = await work.queryAt(importSupplierId, (tx) => changes.findWork(tx, importSupplierId));
    if (waiting.changes === 0 && !waiting.areControlsDue) return false;
    const parts = Math.max(Math.ceil(waiting.changes / CHANGES_MAX), 1);
    const number = Math.floor(Math.random() * parts);
    return work.atSupplier(importSupplierId, (at) =>
      at.write(async (tx) => {
        const hasTotals = await lockTotals(tx, importSupplierId, canWait);
        if (!(await numbering.lock(tx, importSupplierId, canWait))) return false;
        if (!hasTotals) return numbering.number(tx, importSupplierId).then(() => false);
        await changes.carryOver(tx, importSupplierId, { number, parts });
        if (waiting.areControlsDue) await changes.countControls(tx, importSupplierId);
        return parts > 1;
      }),
    );
  }

  /**
   * The totals of a supplier. While an importer holds a lease on pending accounts, these are in progress.
   *
   * @param importSupplierId of a supplier that exists
   * Source: choice O10; decision 14 (docs/decisions/).
   */
  totalsOf(tx: Tx, importSupplierId: number): Promise<SupplierTotals> {
    return this.repository.totals(tx, importSupplierId);
  }

  /**
   * How fast the migration of a supplier proceeds at present.
   *
   * Source: choice C12.
   */
  pace(tx: Tx, importSupplierId: number, now: Date): Promise<Pace> {
    return this.repository.pace(tx, importSupplierId, paceSince(now));
  }

  /**
   * What was added to a supplier since a time, minute by minute or in steps of several minutes. A step in which nothing was is
   * left out. The last 25 hours are kept.
   *
   * @param since the beginning of the first step
   * @param stepMinutes steps begin at multiples of it since 1970
   * @returns in the order of time
   */
  minutes(tx: Tx, importSupplierId: number, since: Date, stepMinutes: number): Promise<MinuteTotals[]> {
    return this.repository.minutes(tx, importSupplierId, since, stepMinutes);
  }
}
