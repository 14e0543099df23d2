import { Injectable } from '@nestjs/common';
import { accountState } from '../../../accounts/status/account-state.js';
import { query, run, runForOne } from '../../../infrastructure/database/query.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import { recordedCounts, totalsAsJson } from '../../../accounts/counts/account-counts.queries.js';
import { isOfAccount, keyValues, type AccountKey } from './account-key.js';
import type { AccountSummary, LoadedSums } from './account.types.js';

const FIND = query<AccountSummary>(
  'console.account',
  `SELECT ${accountState('a')} AS state, a.service_account_number AS "serviceAccountNumber", a.staged_at AS "stagedAt",
          a.account_created_at AS "accountCreatedAt", a.open_statement_from::text AS "openStatementFrom",
          a.open_statement_to::text AS "openStatementTo", a.failure, a.failed_at AS "failedAt"
     FROM {account_import a}
    WHERE ${isOfAccount('a')}`,
);

const FIND_ERASURE = query<{ started_at: Date }>(
  'console.account_erasure',
  `SELECT e.started_at
     FROM {account_erasure a}
     JOIN {erasure e} ON e.import_supplier_id = a.import_supplier_id AND e.id = a.erasure_id
    WHERE ${isOfAccount('a')}`,
);

const SUM = query<LoadedSums>(
  'console.account_sums',
  `SELECT ${totalsAsJson('found')} AS stored, found.requests::float8, found.pinned_notes::float8 AS "pinnedNotes",
          found.last_request_at AS "lastRequestAt"
     FROM (${recordedCounts(':external_account_number')}) AS found`,
);

@Injectable()
export class AccountRepository {
  /** @returns undefined when the account is not staged */
  async find(tx: Tx, key: AccountKey): Promise<AccountSummary | undefined> {
    const [account] = await run(tx, FIND, keyValues(key));
    return account;
  }

  /** The time since when the account is being erased; undefined when it is not. */
  async findErasure(tx: Tx, key: AccountKey): Promise<Date | undefined> {
    const [erasure] = await run(tx, FIND_ERASURE, keyValues(key));
    return erasure?.started_at;
  }

  sums(tx: Tx, key: AccountKey): Promise<LoadedSums> {
    return runForOne(tx, SUM, keyValues(key));
  }
}
