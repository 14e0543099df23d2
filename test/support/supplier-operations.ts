import { CONTROL_LINES } from '../../src/accounts/control-totals/control-line.js';
import type { SettingOutcome } from '../../src/accounts/files/set-accounts.js';
import { SetControlsService } from '../../src/accounts/control-totals/set-controls.service.js';
import { ErasureService } from '../../src/capabilities/erasure/erasure.service.js';
import { ImportingService, type ImportOutcome } from '../../src/accounts/importing/importing.service.js';
import { StagingService } from '../../src/accounts/staging/staging.service.js';
import { CommandError } from '../../src/infrastructure/errors/command-error.js';
import { ImportSuppliersService } from '../../src/import-suppliers/import-suppliers.service.js';
import type { SupplierStatus } from '../../src/import-suppliers/import-supplier.entity.js';
import type { UndoOutcome } from '../../src/capabilities/undo/undo.service.js';
import { readLines } from './account-rows.js';
import { runJson } from './cli.js';
import type { TestService, World } from './service.js';

const RUN = { operator: 'test', interrupted: new AbortController().signal };

/** Operators' work on the accounts of one supplier, by the services behind the commands. */
export class SupplierOperations {
  constructor(
    private readonly service: TestService,
    readonly world: World,
  ) {}

  /** Stage accounts. @param wrong the accounts whose import will fail @param control control totals of each account */
  async stage(numbers: readonly string[], wrong: readonly string[] = [], control?: object): Promise<void> {
    const accounts = numbers.map((number) => {
      // The period begins on the day of the import by default, so it would begin after its end.
      const period = wrong.includes(number)
        ? { open_statement_to: '2026-01-01' }
        : { open_statement_from: '2026-01-01' };
      return { external_account_number: number, ...period, control };
    });
    const outcome = await this.service.app
      .get(StagingService, { strict: false })
      .stage(this.world.supplier, (format) => readLines(accounts, format), RUN);
    outcome.badLines.dispose();
  }

  /** Set control totals of accounts. @param control null to remove them */
  async setControls(numbers: readonly string[], control: object | null): Promise<SettingOutcome> {
    const accounts = numbers.map((number) => ({ external_account_number: number, control }));
    const outcome = await this.service.app
      .get(SetControlsService, { strict: false })
      .setAll(this.world.supplier, readLines(accounts, CONTROL_LINES), RUN);
    outcome.badLines.dispose();
    return outcome;
  }

  import(limit?: number): Promise<ImportOutcome> {
    return this.service.app.get(ImportingService, { strict: false }).import(this.world.supplier, {
      ...{ ...RUN, limit, concurrency: 2, onProgress: () => undefined },
    });
  }

  /**
   * Erase an account, or all of them with null.
   *
   * @param stopAfter the number of document locations after which the erasure is interrupted
   * @returns whether the erasure is complete
   */
  async erase(number: string | null, stopAfter = Infinity): Promise<boolean> {
    const interruption = new AbortController();
    const erasure = await this.service.app.get(ErasureService, { strict: false }).begin({
      importSupplier: this.world.supplier,
      externalAccountNumber: number,
      reason: 'test',
      operator: 'test',
      interrupted: interruption.signal,
      onLongWait: () => undefined,
    });
    let read = 0;
    for await (const location of erasure.documents) {
      read += location === '' ? 0 : 1;
      if (read >= stopAfter) interruption.abort();
    }
    return erasure.isComplete;
  }

  async setStatus(status: SupplierStatus): Promise<void> {
    const suppliers = this.service.app.get(ImportSuppliersService, { strict: false });
    await suppliers.change(this.world.supplier, { status }, 'test');
  }

  /**
   * Undo import requests of the supplier, which must be paused.
   *
   * @param chosen options of `imports undo`
   * @throws CommandError
   */
  async undo(...chosen: string[]): Promise<UndoOutcome> {
    const args = ['imports', 'undo', this.world.supplier, ...chosen, '--yes', '--reason', 'test'];
    const { json } = await runJson(this.service.database, args);
    const { error } = json as { error?: { code: string; detail: string } };
    if (error) throw new CommandError(error.code, error.detail);
    return json as UndoOutcome;
  }

  /** @param query query string, such as `dry_run=true` @returns the status */
  async post(path: string, number: string, payload: object, query = ''): Promise<number> {
    const account = { import_supplier: this.world.supplier, external_account_number: number };
    const address = query === '' ? path : `${path}?${query}`;
    return (await this.service.post(address, this.world.token, { ...account, ...payload })).status;
  }
}
