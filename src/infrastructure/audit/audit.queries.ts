import { jsonList } from '../database/json-list.js';
import { query, run } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type { EvidenceCursor } from './evidence/evidence.types.js';
import type { ListedEntry, OperatorChange } from './audit.types.js';

/** Entries of the same microsecond are ordered by id. */
export const LIST = query<ListedEntry & EvidenceCursor>(
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

/** Hand-written, because a schema change uses a connection without entities. */
const INSERT = query<never>(
  'audit.insert',
  `INSERT INTO audit_entry (id, operator, action, subject, import_supplier, external_account_number, details)
   VALUES (coalesce(:id::uuid, uuidv7()), :operator, :action, :subject, :import_supplier, :external_account_number, :details::jsonb)
       ON CONFLICT DO NOTHING`,
);

export const INSERT_OF_ACCOUNTS = query<never>(
  'audit.insert_of_accounts',
  `INSERT INTO audit_entry (operator, action, subject, import_supplier, external_account_number, details)
   SELECT :operator, :action, changed.number, :import_supplier, changed.number, changed.details::jsonb
     FROM unnest(:account_numbers::text[], ${jsonList(':details')}) AS changed (number, details)`,
);

/** Hand-written, because the module of the keys is in a higher layer. */
export const KEY_LABELS = query<{ id: string; label: string }>(
  'audit.key_labels',
  `SELECT k.id, k.label FROM api_key k WHERE k.id = ANY (:key_ids::uuid[])
    UNION ALL
   SELECT k.id, k.name FROM platform_key k WHERE k.id = ANY (:key_ids::uuid[])`,
);

/** @param id of the entry; if an entry with this id exists, nothing is inserted */
export async function insertEntry(tx: Tx, change: OperatorChange, id?: string): Promise<void> {
  const { operator, action, subject, importSupplier, externalAccountNumber, details = {} } = change;
  await run(tx, INSERT, {
    ...{ id: id ?? null, operator, action, subject },
    import_supplier: importSupplier ?? null,
    external_account_number: externalAccountNumber ?? null,
    details: JSON.stringify(details),
  });
}
