import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { readEnvironment } from '../../src/config/env.js';
import { MIGRATIONS } from '../../src/database/migrations/index.js';
import type { TestDatabase } from './database.js';

/** The last migration of the first schema that customers' data were stored in. */
const LAST = 'ImportedItems1795305840000';

/** Bring an empty database to the first schema, and store something in every table. */
export async function fillFirstSchema({ url, sql }: Pick<TestDatabase, 'url' | 'sql'>): Promise<void> {
  const migrations = MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name === LAST) + 1);
  const source = new DataSource({ ...dataSourceOptions(url, readEnvironment({})), migrations });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
  for (const text of ROWS) await sql(text);
}

/** Accounts `0` to `5` of each of two suppliers: two pending, one failed, three imported with everything. */
const IMPORTED = `account_import a WHERE a.status = 'imported'`;
const ROWS = [
  `INSERT INTO organisation (name, token_version) VALUES ('One', 1), ('Two', 7)`,
  `INSERT INTO api_key (organisation_id, handle, key_hash, label, expires_at, revoked_at)
   SELECT id, 'handle of ' || name, sha256(convert_to(name, 'UTF8')), 'first', '2030-01-01',
          CASE name WHEN 'Two' THEN timestamptz '2026-04-05' END
     FROM organisation`,
  `INSERT INTO import_supplier (code, name, document_root, status, document_check)
   VALUES ('FIRST', 'First', 'first', 'ongoing', 'reject'), ('SECOND', 'Second', 'second', 'paused', 'deferred')`,
  `INSERT INTO import_supplier_grant (import_supplier_id, organisation_id) SELECT s.id, o.id FROM import_supplier s, organisation o`,
  `INSERT INTO import_supplier_status_change (import_supplier_id, changed_at, changed_by, from_status, to_status)
   SELECT id, '2026-05-06T07:08:09Z', 'Anna', 'ongoing', 'paused' FROM import_supplier WHERE code = 'SECOND'`,
  `INSERT INTO catalogue_value (field, value) VALUES ('reason', 'OWN_REASON')`,
  `INSERT INTO rate_limit (subject, theoretical_arrival_at) VALUES ('one', now())`,
  `INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number, account_created_at,
                               open_statement_from, open_statement_to, account, failure, failed_at)
   SELECT s.id, n::text, kind.status,
          CASE kind.status WHEN 'imported' THEN next_service_account_number() END,
          CASE kind.status WHEN 'imported' THEN timestamptz '2026-06-01' END,
          '2026-01-01', CASE n WHEN 5 THEN date '2026-01-31' END, jsonb_build_object('customer', n),
          CASE kind.status WHEN 'failed' THEN 'reason' END, CASE kind.status WHEN 'failed' THEN now() END
     FROM import_supplier s, generate_series(0, 5) AS n,
          LATERAL (SELECT CASE WHEN n < 2 THEN 'pending' WHEN n = 2 THEN 'failed' ELSE 'imported' END) AS kind (status)`,
  `INSERT INTO import_lease (import_supplier_id, first_number, last_number, held_by, expires_at)
   SELECT id, '0', '1', 'importer', now() FROM import_supplier`,
  `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored)
   SELECT a.import_supplier_id, a.external_account_number, uuidv7(), kind, k.id, 'request ' || kind, 1
     FROM api_key k, unnest(ARRAY['notes', 'transactions', 'statements', 'payment_instruction']) AS kind, ${IMPORTED}`,
  `INSERT INTO note (import_supplier_id, external_account_number, created_at, created_at_sent, import_request_id, body,
                     document_paths, document_locations, is_pinned, unpin_at)
   SELECT a.import_supplier_id, a.external_account_number, '2026-02-03T04:05:06Z', true, uuidv7(), 'body',
          ARRAY['a.pdf'], ARRAY['bucket/first/a.pdf'], true, '2026-03-01' FROM ${IMPORTED}`,
  `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, occurrence, import_request_id,
                            transaction_date, sent_date, amount, type, reason, product_code, line_items, tax_items)
   SELECT a.import_supplier_id, a.external_account_number, 't', n, uuidv7(), '2026-01-01', '2025-12-31', 123456789012.34,
          'SUPPLY_CHARGE', 'OWN_REASON', 'product', '[{"net_amount": 1.0000000001}]', '[]'
     FROM generate_series(0, 1) AS n, ${IMPORTED}`,
  `INSERT INTO statement (import_supplier_id, external_account_number, statement_id, bill_period_from_date, bill_period_to_date,
                          gross_amount, statement_path, document_location, document_seen_at, import_request_id)
   SELECT a.import_supplier_id, a.external_account_number, 's', '2025-01-01', '2025-01-31', 0.1000000001, 's.pdf',
          'bucket/first/s.pdf', now(), uuidv7() FROM ${IMPORTED}`,
  `INSERT INTO payment_instruction (import_supplier_id, external_account_number, vendor, import_request_id, reference, type,
                                    details, verified_at)
   SELECT a.import_supplier_id, a.external_account_number, 'STRIPE', uuidv7(), 'reference', 'CARD', '{"brand": "visa"}', now()
     FROM ${IMPORTED}`,
];
