import { Injectable } from '@nestjs/common';
import type { MigrationCounts } from '../../../capabilities/proof/migration/migration.types.js';
import { CompletionService } from '../../../capabilities/proof/migration/completion.service.js';
import { shellWord } from '../../../infrastructure/text/shell-word.js';
import { QUERY_CANCELED, sqlState } from '../../../infrastructure/errors/sql-state.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { TotalsService } from '../../../capabilities/totals/totals.service.js';
import type { FormFields } from '../common/parameters.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';
import { ViewedSuppliersService } from '../signed-in/viewed-suppliers.service.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import { readCompletionForm } from './completion-form.js';

/** The longest wait for import requests that began before the supplier was paused. No request takes longer than its query may. */
const WAIT_MS_MAX = 60_000;

/** The view model of the page on which a supplier is completed. */
export interface ShownCompletion {
  /** With its current status. */
  readonly supplier: ViewedSupplier;
  readonly counts: MigrationCounts;
  /** The time up to which the totals include everything; undefined when the rows were just counted. */
  readonly asOf: Date | undefined;
  /** Why the submitted form has changed nothing. */
  readonly problem?: string;
}

/** Completes a migration from the console. */
@Injectable()
export class SupplierCompletionService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly viewed: ViewedSuppliersService,
    private readonly totals: TotalsService,
    private readonly completion: CompletionService,
  ) {}

  /**
   * Show what is missing according to the supplier's totals, which are cheap to read.
   *
   * Source: choice C13.
   */
  async show(supplier: ViewedSupplier): Promise<ShownCompletion> {
    const counts = await this.work.query((tx) => this.totals.totalsOf(tx, supplier.id));
    return { supplier, counts, asOf: counts.asOf };
  }

  /**
   * Complete a supplier by the rule of `migration complete`: when nothing is missing according to its rows, or anyway for a
   * reason.
   *
   * @returns the supplier with its status afterwards
   * @throws CommandError `supplier_status_changed`
   * Source: choices C13, V6, O6.
   */
  async complete({ user, supplier }: SupplierRequest, form: FormFields): Promise<ShownCompletion> {
    const { code } = supplier;
    const submitted = readCompletionForm(form, code);
    const completion = await this.show(supplier);
    if ('problem' in submitted) return { ...completion, problem: submitted.problem };
    try {
      const { status, ...counts } = await this.completion.complete({
        ...{ importSupplier: code, reason: submitted.reason, operator: user.recordedAs },
        interrupted: AbortSignal.timeout(WAIT_MS_MAX),
        onLongWait: () => undefined,
      });
      const problem = 'Nothing was changed: the migration is not complete.';
      return { supplier: { ...completion.supplier, status }, counts, asOf: undefined, problem };
    } catch (error) {
      if (sqlState(error) !== QUERY_CANCELED) throw error;
      const { status } = await this.viewed.find(user, code);
      const problem = `Counting the rows takes longer than a page may. The supplier is ${status}. The command "data-import migration complete ${shellWord(code)}" has no limit.`;
      return { ...completion, problem };
    }
  }
}
