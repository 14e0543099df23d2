import { Injectable } from '@nestjs/common';
import { Clock } from '../../infrastructure/clock/clock.js';
import { run, runForOne } from '../../infrastructure/database/query.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { accountNotFound } from '../../accounts/status/account-not-found.js';
import type { AccountRef } from '../../ingest/account-ref.js';
import { forecast } from './forecast.js';
import { ACCOUNT, SUPPLIER_PROGRESS } from './import-progress.queries.js';
import { rowProgress } from './row-progress.js';
import { TotalsService } from './totals.service.js';
import type { AccountDetails, ImportProgress } from './import-progress.types.js';

/** Tells operators how far an import is. */
@Injectable()
export class ImportProgressService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly totals: TotalsService,
    private readonly clock: Clock,
  ) {}

  /**
   * The totals, the share of the expected rows, the forecast and the last error. It includes everything that was stored
   * before the call.
   *
   * @throws CommandError `supplier_not_found`
   * Source: choices, section 6 (`migration status`), V6, C12.
   */
  async supplier(code: string): Promise<ImportProgress> {
    const id = await this.work.query((tx) => this.suppliers.id(tx, code));
    await this.totals.carryOver(id);
    return this.work.query(async (tx) => {
      const totals = await this.totals.totalsOf(tx, id);
      const { status, lastError } = await runForOne(tx, SUPPLIER_PROGRESS, { import_supplier_id: id });
      const now = this.clock.now();
      return {
        ...{ status, totals, rows: rowProgress(totals), lastError: lastError ?? undefined },
        forecast: forecast(now, status, totals, await this.totals.pace(tx, id, now)),
      };
    });
  }

  /**
   * Everything that is known about one account.
   *
   * @throws CommandError `supplier_not_found` or `account_not_found`
   * Source: choices, section 6 (`accounts show`).
   */
  account(account: AccountRef): Promise<AccountDetails> {
    const { importSupplier, externalAccountNumber } = account;
    return this.work.query(async (tx) => {
      const supplier = await this.suppliers.id(tx, importSupplier);
      const key = { import_supplier_id: supplier, external_account_number: externalAccountNumber };
      const [row] = await run(tx, ACCOUNT, key);
      if (!row) throw accountNotFound(account);
      return row;
    });
  }
}
