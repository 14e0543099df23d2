import { query } from '../../infrastructure/database/query.js';
import { accountState } from '../../accounts/status/account-state.js';
import { ITEM_NAMES } from '../../infrastructure/item-names/item-names.js';
import { recordedCounts } from '../../accounts/counts/account-counts.queries.js';
import type { AccountDetails, ImportProgress } from './import-progress.types.js';

type SupplierProgressRow = Pick<ImportProgress, 'status'> & {
  readonly lastError: ImportProgress['lastError'] | null;
};

export const SUPPLIER_PROGRESS = query<SupplierProgressRow>(
  'accounts.supplier_progress',
  `SELECT s.status, latest.error AS "lastError"
     FROM {import_supplier s}
     LEFT JOIN LATERAL (
      SELECT json_build_object('externalAccountNumber', a.external_account_number, 'failure', coalesce(a.failure, '')) AS error
        FROM {account_import a}
       WHERE a.import_supplier_id = :import_supplier_id AND a.status = 'failed'
       ORDER BY a.failed_at DESC NULLS LAST, a.external_account_number DESC
       LIMIT 1
    ) AS latest ON true
    WHERE s.id = :import_supplier_id`,
);

export const ACCOUNT = query<AccountDetails>(
  'accounts.show',
  `SELECT ${accountState('a')} AS state, a.service_account_number, a.account_created_at, a.open_statement_from,
          a.open_statement_to, a.failure,
          json_build_object(
            ${ITEM_NAMES.map((name) => `'${name}', stored.${name}${name === 'notes' ? ' + stored.pinned_notes' : ''}`).join(', ')}
          ) AS counts
     FROM {account_import a}
    CROSS JOIN LATERAL (${recordedCounts('a.external_account_number')}) AS stored
    WHERE a.import_supplier_id = :import_supplier_id AND a.external_account_number = :external_account_number`,
);
