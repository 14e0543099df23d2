import { accountState } from '../../../accounts/status/account-state.js';
import { query } from '../../../infrastructure/database/query.js';
import { recordedCounts, totalsAsJson } from '../../../accounts/counts/account-counts.queries.js';
import { isOfAccount } from './account-key.js';
import type { AccountSummary, LoadedSums } from './account.types.js';

export const ACCOUNT = query<AccountSummary>(
  'console.account',
  `SELECT ${accountState('a')} AS state, a.service_account_number AS "serviceAccountNumber", a.staged_at AS "stagedAt",
          a.account_created_at AS "accountCreatedAt", a.open_statement_from::text AS "openStatementFrom",
          a.open_statement_to::text AS "openStatementTo", a.failure, a.failed_at AS "failedAt"
     FROM {account_import a}
    WHERE ${isOfAccount('a')}`,
);

/** The time since when the account is being erased. */
export const ERASURE = query<{ started_at: Date }>(
  'console.account_erasure',
  `SELECT e.started_at
     FROM {account_erasure a}
     JOIN {erasure e} ON e.import_supplier_id = a.import_supplier_id AND e.id = a.erasure_id
    WHERE ${isOfAccount('a')}`,
);

export const SUMS = query<LoadedSums>(
  'console.account_sums',
  `SELECT ${totalsAsJson('found')} AS stored, found.requests::float8, found.pinned_notes::float8 AS "pinnedNotes"
     FROM (${recordedCounts(':external_account_number')}) AS found`,
);
