import { Injectable } from '@nestjs/common';
import { CommandError } from '../common/command-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { SupplierStatus } from '../import-suppliers/import-supplier.entity.js';
import { ImportSuppliersService } from '../import-suppliers/import-suppliers.service.js';
import type { AccountRef } from './account-ref.js';
import type { AccountState } from './account-state.js';
import { ImportProgressRepository, type LoadCounts } from './import-progress.repository.js';

/** How far the migration of a supplier is. */
export interface MigrationStatus {
  readonly status: SupplierStatus;
  readonly accounts: Readonly<Record<AccountState, number>>;
  readonly loads: LoadCounts;
  /** Of the accounts that are failed now, the one that failed last. */
  readonly lastError: { readonly externalAccountNumber: string; readonly failure: string } | undefined;
}

/** Everything that is known of one account. */
export interface AccountRecord {
  readonly state: AccountState;
  readonly serviceAccountNumber: string | null;
  readonly accountCreatedAt: Date | null;
  readonly openStatementFrom: string | null;
  readonly openStatementTo: string | null;
  /** Why the import failed, while it is failed. */
  readonly failure: string | null;
  readonly counts: LoadCounts;
}

/** Tells operators how a migration goes. */
@Injectable()
export class ImportProgressService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly repository: ImportProgressRepository,
  ) {}

  /** @throws CommandError `supplier_not_found` */
  supplier(code: string): Promise<MigrationStatus> {
    return this.work.single(async (tx) => {
      await this.suppliers.id(tx, code);
      const row = await this.repository.supplierProgress(tx, code);
      const { status, pending, in_progress, imported, failed, last_failed_number, last_failure } = row;
      return {
        status,
        accounts: { pending, in_progress, imported, failed },
        loads: loadCounts(row),
        lastError:
          last_failed_number === null
            ? undefined
            : { externalAccountNumber: last_failed_number, failure: last_failure ?? '' },
      };
    });
  }

  /** @throws CommandError `supplier_not_found` or `account_not_found` */
  account({ importSupplier, externalAccountNumber }: AccountRef): Promise<AccountRecord> {
    return this.work.single(async (tx) => {
      const supplier = await this.suppliers.id(tx, importSupplier);
      const row = await this.repository.findAccount(tx, supplier, externalAccountNumber);
      if (!row) {
        throw new CommandError(
          'account_not_found',
          `The import supplier ${importSupplier} has no account ${externalAccountNumber}; it was never staged.`,
        );
      }
      return {
        state: row.state,
        serviceAccountNumber: row.service_account_number,
        accountCreatedAt: row.account_created_at,
        openStatementFrom: row.open_statement_from,
        openStatementTo: row.open_statement_to,
        failure: row.failure,
        counts: loadCounts(row),
      };
    });
  }
}

function loadCounts({ notes, transactions, statements, payment_instructions }: LoadCounts): LoadCounts {
  return { notes, transactions, statements, payment_instructions };
}
