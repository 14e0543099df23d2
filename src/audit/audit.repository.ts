import { Injectable } from '@nestjs/common';
import { arrayLiteral } from '../database/array-literal.js';
import { joinJson, jsonList } from '../database/json-list.js';
import { query, run } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type {
  AccountsChange,
  AuditFilter,
  ChangedAccount,
  ListedEntry,
  OperatorChange,
} from './audit.types.js';

/** Where a page of the list begins: after this entry. */
export interface AuditCursor {
  readonly id: string;
  /** `at` as PostgreSQL writes it, because a Date has no microseconds. */
  readonly exact_at: string;
}

/** Entries of the same microsecond are in the order of their ids. */
const LIST = query<ListedEntry & AuditCursor>(
  'audit.list',
  `SELECT e.id, e.at, e.at::text AS exact_at, e.operator, e.action, e.subject, e.import_supplier, e.details
     FROM audit_entry e
    WHERE e.at >= :since::timestamptz
      AND (e.at, e.id) < (:before_at::timestamptz, :before_id::uuid)
      AND (:import_supplier::text IS NULL OR e.import_supplier = :import_supplier)
      AND (:operator::text IS NULL OR e.operator = :operator)
    ORDER BY e.at DESC, e.id DESC
    LIMIT :count_max::integer`,
);

/** By a query of its own, because a change of the schema has a connection without entities. */
const INSERT = query<never>(
  'audit.insert',
  `INSERT INTO audit_entry (id, operator, action, subject, import_supplier, external_account_number, details)
   VALUES (coalesce(:id::uuid, uuidv7()), :operator, :action, :subject, :import_supplier, :external_account_number, :details::jsonb)
       ON CONFLICT DO NOTHING`,
);

const INSERT_OF_ACCOUNTS = query<never>(
  'audit.insert_of_accounts',
  `INSERT INTO audit_entry (operator, action, subject, import_supplier, external_account_number, details)
   SELECT :operator, :action, changed.number, :import_supplier, changed.number, changed.details::jsonb
     FROM unnest(:account_numbers::text[], ${jsonList(':details')}) AS changed (number, details)`,
);

/** By a query of its own, because the module of the keys is above this one. */
const KEY_LABELS = query<{ id: string; label: string }>(
  'audit.key_labels',
  `SELECT k.id, k.label FROM api_key k WHERE k.id = ANY (:key_ids::uuid[])
    UNION ALL
   SELECT k.id, k.name FROM platform_key k WHERE k.id = ANY (:key_ids::uuid[])`,
);

/** How a key is recorded that acts for its organisation or for the platform. */
const RECORDED_KEY = /^(?:api|platform) key ([0-9a-f-]{36})$/;

@Injectable()
export class AuditRepository {
  /** @param id of the entry; nothing is inserted where there is one with it */
  async insert(tx: Tx, change: OperatorChange, id?: string): Promise<void> {
    const { operator, action, subject, importSupplier, externalAccountNumber, details = {} } = change;
    await run(tx, INSERT, {
      ...{ id: id ?? null, operator, action, subject },
      import_supplier: importSupplier ?? null,
      external_account_number: externalAccountNumber ?? null,
      details: JSON.stringify(details),
    });
  }

  async insertOfAccounts(
    tx: Tx,
    { operator, action, importSupplier }: AccountsChange,
    accounts: readonly ChangedAccount[],
  ): Promise<void> {
    await run(tx, INSERT_OF_ACCOUNTS, {
      operator,
      action,
      import_supplier: importSupplier,
      account_numbers: arrayLiteral(accounts, ({ external_account_number }) => external_account_number),
      details: joinJson(accounts.map(({ details }) => details)),
    });
  }

  /** Entries with the labels of the keys that acted. */
  async withKeyLabels<Entry extends Pick<ListedEntry, 'operator'>>(
    tx: Tx,
    entries: readonly Entry[],
  ): Promise<(Entry & Pick<ListedEntry, 'keyLabel'>)[]> {
    const keyOf = ({ operator }: Entry): string | undefined => RECORDED_KEY.exec(operator)?.[1];
    const ids = [...new Set(entries.flatMap((entry) => keyOf(entry) ?? []))];
    const labels = new Map(
      ids.length > 0 ? (await run(tx, KEY_LABELS, { key_ids: ids })).map(({ id, label }) => [id, label]) : [],
    );
    return entries.map((entry) => ({ ...entry, keyLabel: labels.get(keyOf(entry) ?? '') }));
  }

  /** A page of the entries, newest first. @param before the last entry of the page before */
  list(
    tx: Tx,
    filter: AuditFilter,
    before: AuditCursor | undefined,
    countMax: number,
  ): Promise<(ListedEntry & AuditCursor)[]> {
    return run(tx, LIST, {
      since: filter.since ?? '-infinity',
      before_at: before?.exact_at ?? 'infinity',
      before_id: before?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
      import_supplier: filter.importSupplier ?? null,
      operator: filter.operator ?? null,
      count_max: countMax,
    });
  }
}
