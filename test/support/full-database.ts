import pg from 'pg';
import type { TestDatabase } from './database.js';

/** Suppliers and sizes of a database that {@link fill} has filled. */
export const FULL = {
  /** Has half of everything. */
  largestSupplier: 'FULL-00',
  /** Has a fortieth of everything. */
  smallSupplier: 'FULL-01',
  /** Has pending accounts, and two imported ones. */
  waitingSupplier: 'WAITING',
  /** Minimum number of rows in every growing table. */
  rowsMin: 20_000,
} as const;

/** One account per status and supplier, from the middle of its accounts. Those imported of the first two have `t-1` to `t-3`. */
export const ACCOUNTS: Readonly<Record<string, { readonly imported: string; readonly pending: string }>> = {
  [FULL.largestSupplier]: { imported: '0005000', pending: '0005008' },
  [FULL.smallSupplier]: { imported: '0014193', pending: '0014098' },
  [FULL.waitingSupplier]: { imported: '0002000', pending: '0001000' },
};

const IMPORTED = `(
    SELECT a.*
      FROM account_import a
      JOIN import_supplier s ON s.id = a.import_supplier_id AND s.code LIKE 'FULL-%'
     WHERE a.status = 'imported'
  ) AS account`;

/**
 * Fill a database as if several migrations were well under way. There are 20 suppliers, and one of them has half of the 26,000
 * accounts. Eight of ten accounts are imported and have transactions, notes, statements and a payment instruction. Some
 * documents were never seen. One more supplier has just begun. A thousand organisations have a key. This does not update the
 * planner's statistics: see {@link analyzeTables}.
 */
export async function fill({ sql }: TestDatabase): Promise<void> {
  await sql(`
    INSERT INTO import_supplier (code, name, document_root)
    SELECT 'FULL-' || lpad(n::text, 2, '0'), 'Supplier ' || n, 'full' || n FROM generate_series(0, 19) AS n`);
  await sql(`
    WITH caller AS (
      INSERT INTO organisation (name) SELECT 'Organisation ' || n FROM generate_series(1, 1000) AS n RETURNING id
    )
    INSERT INTO api_key (organisation_id, handle, key_hash, label)
    SELECT id, 'handle ' || id, sha256(convert_to(id::text, 'UTF8')), 'full' FROM caller`);
  await sql(`
    INSERT INTO platform_key (handle, key_hash, name, expires_at)
    SELECT 'handle ' || n, sha256(convert_to(n::text, 'UTF8')), 'full', now() + interval '1 day' FROM generate_series(1, 1000) AS n`);
  await sql(`
    INSERT INTO import_supplier_grant (import_supplier_id, organisation_id)
    SELECT s.id, o.id FROM import_supplier s, organisation o WHERE o.name = 'Organisation ' || s.id`);
  await sql(`
    INSERT INTO rate_limit (subject, theoretical_arrival_at)
    SELECT 'full:' || n, now() + interval '1 hour' FROM generate_series(1, 5000) AS n`);
  await sql(`
    INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number,
                                account_created_at, open_statement_from, failure, failed_at, account)
    SELECT s.id, lpad(n::text, 7, '0'), kind.status,
           CASE WHEN kind.status = 'imported' THEN next_service_account_number() END,
           CASE WHEN kind.status = 'imported' THEN now() END, date '2026-01-01',
           CASE WHEN kind.status = 'failed' THEN 'It did not work.' END,
           CASE WHEN kind.status = 'failed' THEN now() END, jsonb_build_object('name', 'Customer ' || n)
      FROM generate_series(0, 25999) AS n
     CROSS JOIN LATERAL (
             SELECT CASE WHEN n % 10 < 8 THEN 'imported' WHEN n % 10 = 8 THEN 'pending' ELSE 'failed' END
           ) AS kind (status)
      JOIN import_supplier s
        ON s.code = 'FULL-' || lpad((CASE WHEN n < 13000 THEN 0 ELSE 1 + n % 19 END)::text, 2, '0')`);
  await sql(`
    WITH supplier AS (
      INSERT INTO import_supplier (code, name, document_root) VALUES ('${FULL.waitingSupplier}', 'Waiting', 'waiting') RETURNING id
    )
    INSERT INTO account_import (import_supplier_id, external_account_number, status, service_account_number,
                                account_created_at, open_statement_from)
    SELECT supplier.id, lpad(n::text, 7, '0'), kind.status,
           CASE WHEN kind.status = 'imported' THEN next_service_account_number() END,
           CASE WHEN kind.status = 'imported' THEN now() END, date '2026-01-01'
      FROM supplier, generate_series(0, 4999) AS n
     CROSS JOIN LATERAL (SELECT CASE WHEN n IN (2000, 4000) THEN 'imported' ELSE 'pending' END) AS kind (status)`);
  await sql(`
    INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id, transaction_date,
                             amount, type)
    SELECT import_supplier_id, external_account_number, 't-' || n, uuidv7(), date '2026-01-01' + n, n + 0.5, 'CHARGE'
      FROM ${IMPORTED}, generate_series(1, 3) AS n`);
  await sql(`
    INSERT INTO note (import_supplier_id, external_account_number, import_request_id, body, document_paths, document_locations,
                      created_at, created_at_sent, is_pinned)
    SELECT import_supplier_id, external_account_number, uuidv7(), 'Note ' || n, d.paths, d.paths, now(), false, false
      FROM ${IMPORTED}, generate_series(1, 2) AS n,
           LATERAL (SELECT CASE WHEN external_account_number LIKE '%7' THEN ARRAY['a/b.pdf'] ELSE '{}' END) AS d (paths)`);
  await sql(`
    INSERT INTO statement (import_supplier_id, external_account_number, import_request_id, statement_id, bill_period_from_date,
                           bill_period_to_date, statement_path, document_location)
    SELECT import_supplier_id, external_account_number, uuidv7(), 's-' || n, '2025-01-01', '2025-01-31', d.path, d.path
      FROM ${IMPORTED}, generate_series(1, 2) AS n,
           LATERAL (SELECT CASE WHEN external_account_number LIKE '%7' THEN 'a/b.pdf' END) AS d (path)`);
  await sql(`
    INSERT INTO payment_instruction (import_supplier_id, external_account_number, vendor, reference, import_request_id, type,
                                     details, verified_at)
    SELECT import_supplier_id, external_account_number, 'SANDBOX', 'ok_1', uuidv7(), 'CARD', '{}', now()
      FROM ${IMPORTED}`);
  await sql(`
    INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored,
                                has_unseen_documents)
    SELECT import_supplier_id, external_account_number, import_request_id, 'notes', uuidv7(), 'request ' || external_account_number, 1,
           nullif(document_paths <> '{}', false)
      FROM note
     WHERE body = 'Note 1'`);
  await sql(`
    INSERT INTO feed_change (import_supplier_id, sequence, at, import_request_id, external_account_number, type)
    SELECT r.import_supplier_id, row_number() OVER (PARTITION BY r.import_supplier_id ORDER BY r.id),
           r.stored_at + row_number() OVER (ORDER BY r.id) * interval '1 second', r.id,
           r.external_account_number, r.kind || '.added'
      FROM import_request r
      JOIN import_supplier s ON s.id = r.import_supplier_id AND s.code LIKE 'FULL-%'
     ORDER BY r.id`);
  await sql(`
    INSERT INTO feed (import_supplier_id, last_sequence)
    SELECT s.id, (SELECT count(*) FROM feed_change c WHERE c.import_supplier_id = s.id)
      FROM import_supplier s
     WHERE s.code LIKE 'FULL-%'`);
  await sql(`
    INSERT INTO feed_epoch (import_supplier_id, number, continues_after, reason) SELECT s.id, 1, 0, 'full' FROM import_supplier s WHERE s.code LIKE 'FULL-%'`);
  await sql(`
    INSERT INTO feed_reader (import_supplier_id, name, platform_key_id, sequence) SELECT s.id, 'billing', uuidv7(), 10 FROM import_supplier s WHERE s.code LIKE 'FULL-%'`);
  await sql(`
    INSERT INTO import_refusal (import_supplier_id, external_account_number, id, at, kind, organisation_id, api_key_id, request_id,
                                status, code, is_dry_run)
    SELECT import_supplier_id, external_account_number, uuidv7(), now(), 'notes', uuidv7(), uuidv7(), 'request ' || external_account_number, 404,
           'account_not_found', false
      FROM ${IMPORTED}`);
  await sql(`
    INSERT INTO account_control (import_supplier_id, external_account_number, notes, state)
    SELECT import_supplier_id, external_account_number, 1,
           CASE WHEN status <> 'imported' THEN 'not_imported' WHEN external_account_number LIKE '%7' THEN 'too_many' ELSE 'agrees' END
      FROM account_import`);
  await sql(`
    INSERT INTO unloaded_account (import_supplier_id, external_account_number)
    SELECT import_supplier_id, external_account_number FROM account_import
        ON CONFLICT DO NOTHING`);
}

/**
 * Update the planner's statistics. VACUUM marks a row all-visible only once its commit, and those near it, are in the WAL on
 * disk; the checkpoint ensures that.
 */
export async function analyzeTables({ url }: TestDatabase): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const sql of ['SET synchronous_commit = on', 'CHECKPOINT', 'VACUUM ANALYZE']) await client.query(sql);
  await client.end();
}
