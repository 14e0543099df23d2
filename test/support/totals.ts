import { CarryOverJob } from '../../src/capabilities/totals/carry-over.job.js';
import { TotalsCheckService } from '../../src/capabilities/totals/totals-check.service.js';
import { TotalsService } from '../../src/capabilities/totals/totals.service.js';
import type {
  CheckedTotals,
  SupplierTotals,
  TotalsCheck,
} from '../../src/capabilities/totals/totals.types.js';
import { UnitOfWork } from '../../src/infrastructure/database/unit-of-work.js';
import { startService, type TestService } from './service.js';
import { SupplierOperations } from './supplier-operations.js';
import { idOf } from './suppliers.js';

/** The totals of one supplier of a service. */
export class ObservedTotals {
  readonly service: TotalsService;
  private readonly checks: TotalsCheckService;
  private readonly work: UnitOfWork;

  private constructor(
    private readonly test: TestService,
    private readonly code: string,
    /** Of the supplier. */
    readonly id: number,
  ) {
    this.service = test.app.get(TotalsService, { strict: false });
    this.checks = test.app.get(TotalsCheckService, { strict: false });
    this.work = test.app.get(UnitOfWork, { strict: false });
  }

  static async of(test: TestService, code: string): Promise<ObservedTotals> {
    return new ObservedTotals(test, code, await idOf(test.database, code));
  }

  check(): Promise<TotalsCheck> {
    return this.checks.check(this.code);
  }

  repair(): Promise<TotalsCheck> {
    return this.checks.repair(this.code, 'test');
  }

  /** Expect that the totals, with the pending changes, agree with the rows. */
  async expectAgreement(): Promise<CheckedTotals> {
    const { totals, rows, wrong } = await this.check();
    expect({ ...totals, wrong }).toEqual({ ...rows, wrong: { controls: 0, unloaded: 0 } });
    return rows;
  }

  /** Expect that the totals agree with the rows before and after pending changes are carried over. @returns the rows */
  async expectExact(): Promise<CheckedTotals> {
    await this.expectAgreement();
    await this.service.carryOver(this.id);
    expect(await this.countWaiting()).toBe(0);
    const rows = await this.expectAgreement();
    const { accounts, loadedAccounts, requests, items, pinnedNotes, amount } = await this.shown();
    const { pending, in_progress, imported, failed } = accounts;
    const counts = { loaded_accounts: loadedAccounts, requests, ...items, pinned_notes: pinnedNotes, amount };
    expect({ pending: pending + in_progress, imported, failed, ...counts }).toEqual(rows);
    return rows;
  }

  async countWaiting(): Promise<number> {
    const rows = await this.test.database.sql('SELECT FROM supplier_change WHERE import_supplier_id = $1', [
      this.id,
    ]);
    return rows.length;
  }

  async shown(): Promise<SupplierTotals> {
    return this.work.query((tx) => this.service.totalsOf(tx, this.id));
  }
}

/** Start a service whose carry-over job is stopped: tests carry over totals and number changes themselves. */
export async function startWithoutCarryOver(settings: Record<string, string> = {}): Promise<TestService> {
  const service = await startService(settings);
  await service.app.get(CarryOverJob, { strict: false }).onApplicationShutdown();
  return service;
}

/** Create a supplier, with its operations and its totals. */
export async function observedSupplier(
  service: TestService,
): Promise<{ of: SupplierOperations; totals: ObservedTotals }> {
  const of = new SupplierOperations(service, await service.given.supplier());
  return { of, totals: await ObservedTotals.of(service, of.world.supplier) };
}
