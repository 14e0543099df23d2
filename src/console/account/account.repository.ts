import { Injectable } from '@nestjs/common';
import { accountState } from '../../accounts/account-state.js';
import { query, run, runForOne, type QueryParameters } from '../../database/query.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { AccountSummary, LoadedSums } from './account.types.js';

/** An account of a supplier. */
export interface AccountKey {
  readonly importSupplierId: number;
  readonly externalAccountNumber: string;
}

/** SQL for the rows of an item's table that belong to the account. */
export const isOfAccount = (item: string): string =>
  `${item}.import_supplier_id = :import_supplier_id AND ${item}.external_account_number = :external_account_number`;

export const keyValues = ({ importSupplierId, externalAccountNumber }: AccountKey): QueryParameters => ({
  import_supplier_id: importSupplierId,
  external_account_number: externalAccountNumber,
});

const FIND = query<AccountSummary>(
  'console.account',
  `SELECT ${accountState('a')} AS state, a.service_account_number AS "serviceAccountNumber", a.staged_at AS "stagedAt",
          a.account_created_at AS "accountCreatedAt", a.open_statement_from::text AS "openStatementFrom",
          a.open_statement_to::text AS "openStatementTo", a.failure, a.failed_at AS "failedAt",
          NULL::timestamptz AS "erasureStartedAt"
     FROM account_import a
    WHERE ${isOfAccount('a')}`,
);

const FIND_ERASURE = query<{ started_at: Date }>(
  'console.account_erasure',
  `SELECT e.started_at
     FROM account_erasure a
     JOIN erasure e ON e.import_supplier_id = a.import_supplier_id AND e.id = a.erasure_id
    WHERE ${isOfAccount('a')}`,
);

const stored = (kind: string): string =>
  `coalesce(sum(r.stored) FILTER (WHERE r.kind = '${kind}'), 0)::float8`;

const SUM = query<LoadedSums>(
  'console.account_sums',
  `SELECT count(*)::float8 AS requests, ${stored('notes')} + coalesce(sum(r.pinned_notes), 0)::float8 AS notes,
          ${stored('transactions')} AS transactions, ${stored('statements')} AS statements,
          ${stored('payment_instruction')} AS "paymentInstructions", sum(r.amount)::text AS amount,
          max(r.stored_at) AS "lastRequestAt"
     FROM import_request r
    WHERE ${isOfAccount('r')} AND r.undone_at IS NULL`,
);

/** An API key and the organisation that it belongs to. */
interface KeyOwner {
  readonly id: string;
  readonly organisation_id: string;
  readonly organisation: string;
  readonly label: string;
}

const OWNERS = query<KeyOwner>(
  'console.key_owners',
  `SELECT k.id, k.organisation_id, k.label,
          (SELECT o.name FROM organisation o WHERE o.id = k.organisation_id LIMIT 1) AS organisation
     FROM api_key k
    WHERE k.id = ANY (:api_key_ids::uuid[])`,
);

@Injectable()
export class AccountRepository {
  /** @returns nothing when the account is not staged */
  async find(tx: Tx, key: AccountKey): Promise<AccountSummary | undefined> {
    const [account] = await run(tx, FIND, keyValues(key));
    return account;
  }

  /** Since when the account is being erased. */
  async findErasure(tx: Tx, key: AccountKey): Promise<Date | undefined> {
    const [erasure] = await run(tx, FIND_ERASURE, keyValues(key));
    return erasure?.started_at;
  }

  sums(tx: Tx, key: AccountKey): Promise<LoadedSums> {
    return runForOne(tx, SUM, keyValues(key));
  }

  async ownersOf(tx: Tx, apiKeyIds: readonly string[]): Promise<ReadonlyMap<string, KeyOwner>> {
    if (apiKeyIds.length === 0) return new Map();
    const owners = await run(tx, OWNERS, { api_key_ids: apiKeyIds });
    return new Map(owners.map((owner) => [owner.id, owner]));
  }
}
