import { Injectable } from '@nestjs/common';
import { RequestsUnderWay } from '../../../infrastructure/database/requests-under-way.js';
import { lockTotals } from '../../../infrastructure/change-log/totals-lock.js';
import { AuditService } from '../../../infrastructure/audit/audit.service.js';
import { CommandError } from '../../../infrastructure/errors/command-error.js';
import { runForOne } from '../../../infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../../../infrastructure/database/unit-of-work.js';
import type { ImportSupplier, SupplierStatus } from '../../../import-suppliers/import-supplier.entity.js';
import { ImportSuppliersService } from '../../../import-suppliers/import-suppliers.service.js';
import { controlDifferences, COUNTS } from './controlled-rows.queries.js';
import { isWhole, type ControlDifference, type MigrationCounts } from './migration.types.js';

export interface CompletionOrder {
  readonly importSupplier: string;
  /** Why it is completed although something is missing; undefined to complete it only when nothing is. */
  readonly reason: string | undefined;
  /** The name that is recorded in the audit. */
  readonly operator: string;
  readonly interrupted: AbortSignal;
  /** Called when requests that are under way take long. */
  readonly onLongWait: () => void;
}

/** The status of the supplier afterwards, and the counts that decided it. */
export interface Completion extends MigrationCounts {
  readonly status: SupplierStatus;
}

/** Completes migrations. */
@Injectable()
export class CompletionService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly requests: RequestsUnderWay,
    private readonly audit: AuditService,
  ) {}

  /**
   * The accounts whose rows differ from their control totals, in the order of their numbers, all from one snapshot.
   * Accounts that are not imported hold nothing.
   *
   * @throws CommandError `supplier_not_found`
   * Source: choice V6.
   */
  async differences(code: string): Promise<AsyncIterable<ControlDifference>> {
    const id = await this.work.query((tx) => this.suppliers.id(tx, code));
    return this.work.stream((tx) => controlDifferences(tx, id));
  }

  /**
   * Set a supplier to `complete` when all its accounts are imported and none differs from its control totals. Otherwise the
   * supplier stays as it was, unless there is a reason to complete it anyway.
   *
   * The accounts are counted, then the supplier is paused and its row locked, so that nobody can resume it. When the
   * requests that were under way have ended, nothing more can be stored, and the accounts are counted again. If that fails,
   * for example by the time limit of a query, the supplier gets its status back. A crash leaves it paused, and the call can
   * be repeated.
   *
   * @throws CommandError `supplier_not_found`; `supplier_status_changed` when somebody else changed the status at the same
   *   time
   * Source: choices V6, O6; decision 16 (docs/decisions/).
   */
  async complete(order: CompletionOrder): Promise<Completion> {
    const { importSupplier: code, operator, reason } = order;
    const { work, suppliers } = this;
    const { status: before } = await suppliers.show(code);
    const counts = await work.query(async (tx) =>
      runForOne(tx, COUNTS, { import_supplier_id: await suppliers.id(tx, code) }),
    );
    if (before === 'complete' || (reason === undefined && !isWhole(counts)))
      return { status: before, ...counts };
    await suppliers.change(code, { status: 'paused' }, operator);
    try {
      return await work.write((tx) => this.completePaused(tx, order, before));
    } catch (error) {
      // The first error says more than a second one about the status.
      await Promise.allSettled([work.write((tx) => this.resume(tx, order, before))]);
      throw error;
    }
  }

  /** Give a supplier that is still paused its status back. */
  private async resume(tx: Tx, order: CompletionOrder, before: SupplierStatus): Promise<void> {
    const supplier = await this.suppliers.lock(tx, order.importSupplier);
    if (supplier.status === 'paused') await this.setBack(tx, order, supplier, before);
  }

  private async setBack(
    tx: Tx,
    { importSupplier: code, operator }: CompletionOrder,
    supplier: ImportSupplier,
    status: SupplierStatus,
  ): Promise<void> {
    if (status === 'paused') return;
    await this.suppliers.setStatus(tx, supplier, status);
    await this.audit.record(tx, {
      ...{ operator, action: 'supplier.set', subject: code, importSupplier: code },
      details: { from: { status: 'paused' }, to: { status } },
    });
  }

  private async completePaused(tx: Tx, order: CompletionOrder, before: SupplierStatus): Promise<Completion> {
    const { importSupplier: code, operator, reason, interrupted, onLongWait } = order;
    const supplier = await this.suppliers.lock(tx, code);
    if (supplier.status !== 'paused') {
      throw new CommandError(
        'supplier_status_changed',
        `The import supplier ${code} was set to ${supplier.status} at the same time; run the command again.`,
      );
    }
    await lockTotals(tx, supplier.id, true);
    await this.requests.wait(supplier.id, interrupted, onLongWait);
    const counts = await runForOne(tx, COUNTS, { import_supplier_id: supplier.id });
    const isComplete = !interrupted.aborted && (reason !== undefined || isWhole(counts));
    if (!isComplete) {
      await this.setBack(tx, order, supplier, before);
      return { status: before, ...counts };
    }
    await this.suppliers.setStatus(tx, supplier, 'complete');
    const values = { from: { status: 'paused' }, to: { status: 'complete' } };
    await this.audit.record(tx, {
      ...{ operator, action: 'supplier.complete', subject: code, importSupplier: code },
      details: { ...values, ...counts, ...(reason !== undefined && { forced: true, reason }) },
    });
    return { status: 'complete', ...counts };
  }
}
