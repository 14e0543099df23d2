import { accountState } from '../../../accounts/status/account-state.js';
import { countedRows, differs, totalsAsJson } from '../../../accounts/counts/account-counts.queries.js';
import type { ControlTotals, FoundTotals } from '../../../accounts/counts/account-counts.types.js';
import { runArriving } from '../../../infrastructure/database/arriving-rows.js';
import { query } from '../../../infrastructure/database/query.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import type { ControlDifference, MigrationCounts } from './migration.types.js';

/** The accounts with control totals, and the totals of their rows. */
const CONTROLLED = `{account_control account}
    CROSS JOIN LATERAL (${countedRows('account.external_account_number')}) AS found`;

interface DifferenceRow {
  readonly external_account_number: string;
  readonly expected: ControlTotals;
  readonly found: FoundTotals;
}

const DIFFERENCES = query<DifferenceRow>(
  'contents.control_differences',
  `SELECT account.external_account_number, ${totalsAsJson('account')} AS expected, ${totalsAsJson('found')} AS found
     FROM ${CONTROLLED}
    WHERE account.import_supplier_id = :import_supplier_id AND ${differs('account', 'found')}
    ORDER BY account.external_account_number`,
);

/** All counts are from one snapshot. */
export const COUNTS = query<MigrationCounts>(
  'contents.migration_counts',
  `SELECT (SELECT json_build_object(
                    'imported', count(*) FILTER (WHERE a.state = 'imported'),
                    'pending', count(*) FILTER (WHERE a.state = 'pending'),
                    'in_progress', count(*) FILTER (WHERE a.state = 'in_progress'),
                    'failed', count(*) FILTER (WHERE a.state = 'failed'))
             FROM (SELECT ${accountState('a')} AS state
                     FROM {account_import a}
                    WHERE a.import_supplier_id = :import_supplier_id) AS a) AS accounts,
          (SELECT json_build_object('with', count(*), 'differ', count(*) FILTER (WHERE ${differs('account', 'found')}))
             FROM ${CONTROLLED}
            WHERE account.import_supplier_id = :import_supplier_id) AS control
     FROM {import_supplier s}
    WHERE s.id = :import_supplier_id`,
);

/** Streams the accounts that differ, in the order of their numbers, all from one snapshot. */
export async function* controlDifferences(
  tx: Tx,
  importSupplierId: number,
): AsyncGenerator<ControlDifference> {
  for await (const rows of runArriving(tx, DIFFERENCES, { import_supplier_id: importSupplierId })) {
    for (const { external_account_number, expected, found } of rows) {
      yield { externalAccountNumber: external_account_number, expected, found };
    }
  }
}
