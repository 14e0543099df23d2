import { Injectable } from '@nestjs/common';
import { run, runForOne, query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type { SupplierStatus } from '../import-suppliers/import-supplier.entity.js';
import { accountState, type AccountState } from '../accounts/account-state.js';
import { ITEM_NAMES, type ItemCounts } from '../items/items.js';
import { recordedCounts } from './account-counts.queries.js';

export interface SupplierProgressRow {
  readonly status: SupplierStatus;
  readonly last_failed_number: string | null;
  readonly last_failure: string | null;
}

const SUPPLIER_PROGRESS = query<SupplierProgressRow>(
  'accounts.supplier_progress',
  `SELECT s.status, latest.external_account_number AS last_failed_number, latest.failure AS last_failure
     FROM import_supplier s
     LEFT JOIN LATERAL (
      SELECT a.external_account_number, a.failure
        FROM account_import a
       WHERE a.import_supplier_id = :import_supplier_id AND a.status = 'failed'
       ORDER BY a.failed_at DESC NULLS LAST, a.external_account_number DESC
       LIMIT 1
    ) AS latest ON true
    WHERE s.id = :import_supplier_id`,
);

export interface AccountRow extends ItemCounts {
  readonly state: AccountState;
  readonly service_account_number: string | null;
  readonly account_created_at: Date | null;
  readonly open_statement_from: string | null;
  readonly open_statement_to: string | null;
  readonly failure: string | null;
}

const ACCOUNT = query<AccountRow>(
  'accounts.show',
  `SELECT ${accountState('a')} AS state, a.service_account_number, a.account_created_at, a.open_statement_from,
          a.open_statement_to, a.failure,
          ${ITEM_NAMES.map((name) => `(stored.${name}${name === 'notes' ? ' + stored.pinned_notes' : ''})::float8 AS ${name}`).join(', ')}
     FROM account_import a
    CROSS JOIN LATERAL (${recordedCounts('a.external_account_number')}) AS stored
    WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = :external_account_number`,
);

@Injectable()
export class ImportProgressRepository {
  supplierProgress(tx: Tx, importSupplierId: number): Promise<SupplierProgressRow> {
    return runForOne(tx, SUPPLIER_PROGRESS, { import_supplier_id: importSupplierId });
  }

  async findAccount(
    tx: Tx,
    importSupplierId: number,
    externalAccountNumber: string,
  ): Promise<AccountRow | undefined> {
    const [row] = await run(tx, ACCOUNT, {
      import_supplier_id: importSupplierId,
      external_account_number: externalAccountNumber,
    });
    return row;
  }
}
