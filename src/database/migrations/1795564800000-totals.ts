import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables of the items, by the columns that count them. */
const ITEM_TABLES = {
  notes: 'note',
  transactions: 'transaction',
  statements: 'statement',
  payment_instructions: 'payment_instruction',
};

const RECORD_OF_A_REQUEST = `
-- Without constraints: PostgreSQL reads the text of each anew for every query, which takes 1 % of an import.
ALTER TABLE import_request
  -- The sum of the transactions that were stored; unset for the other kinds.
  ADD COLUMN amount numeric,
  -- How many items were sent; unset, as is the duration, for requests of earlier versions.
  ADD COLUMN items integer,
  -- From the headers of the request until its rows were written.
  ADD COLUMN duration_ms integer;

UPDATE import_request r
   SET amount = counted.amount
  FROM (SELECT t.import_supplier_id, t.external_account_number, t.import_request_id, sum(t.amount) AS amount
          FROM transaction t
         GROUP BY t.import_supplier_id, t.external_account_number, t.import_request_id) AS counted
 WHERE r.import_supplier_id = counted.import_supplier_id
   AND r.external_account_number = counted.external_account_number
   AND r.id = counted.import_request_id
   AND r.kind = 'transactions';

-- For the lists of requests, newest first, and for one that is looked for by its id or the beginning of it.
CREATE INDEX import_request_stored_at ON import_request (import_supplier_id, stored_at);
CREATE INDEX import_request_request_id ON import_request (import_supplier_id, request_id text_pattern_ops);
CREATE INDEX import_refusal_request_id ON import_refusal (import_supplier_id, request_id text_pattern_ops);

-- The failed accounts, which are few; the one that failed last first.
CREATE INDEX account_import_failed ON account_import (import_supplier_id, failed_at DESC NULLS LAST, external_account_number DESC)
  WHERE status = 'failed';
`;

const TOTALS = `
-- What has changed and is not in the totals yet; unset where nothing did. Rows are added by every import and removed a few
-- seconds later, so there is no key, no index and no constraint.
CREATE TABLE supplier_change (
  import_supplier_id integer NOT NULL,
  -- Of all but the accounts by their status.
  external_account_number text COLLATE "C",
  at timestamptz NOT NULL DEFAULT now(),
  requests integer,
  notes integer,
  transactions integer,
  statements integer,
  payment_instructions integer,
  amount numeric,
  pending integer,
  imported integer,
  failed integer
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000);

-- Without a constraint: a count below 0, which "totals check" would find, must not keep other changes out.
CREATE TABLE supplier_total (
  import_supplier_id integer PRIMARY KEY CONSTRAINT import_supplier_exists REFERENCES import_supplier ON DELETE CASCADE,
  requests bigint NOT NULL DEFAULT 0,
  -- Accounts with any import request.
  loaded_accounts bigint NOT NULL DEFAULT 0,
  notes bigint NOT NULL DEFAULT 0,
  transactions bigint NOT NULL DEFAULT 0,
  statements bigint NOT NULL DEFAULT 0,
  payment_instructions bigint NOT NULL DEFAULT 0,
  -- Of the transactions.
  amount numeric NOT NULL DEFAULT 0.00,
  pending bigint NOT NULL DEFAULT 0,
  imported bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  last_request_at timestamptz
);

-- What was added in each minute of the last day.
CREATE TABLE supplier_minute (
  import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier ON DELETE CASCADE,
  minute timestamptz NOT NULL,
  requests integer NOT NULL,
  notes integer NOT NULL,
  transactions integer NOT NULL,
  statements integer NOT NULL,
  payment_instructions integer NOT NULL,
  imported integer NOT NULL,
  failed integer NOT NULL,
  PRIMARY KEY (import_supplier_id, minute),
  CONSTRAINT counts_are_not_negative
    CHECK (least(requests, notes, transactions, statements, payment_instructions, imported, failed) >= 0)
);
`;

/** Each counts one table, so that it needs no join of tables that are on several nodes. */
const COUNTED = [
  `INSERT INTO supplier_total (import_supplier_id, pending, imported, failed)
   SELECT a.import_supplier_id, count(*) FILTER (WHERE a.status = 'pending'), count(*) FILTER (WHERE a.status = 'imported'),
          count(*) FILTER (WHERE a.status = 'failed')
     FROM account_import a
    GROUP BY a.import_supplier_id`,
  `INSERT INTO supplier_total AS t (import_supplier_id, requests, loaded_accounts, last_request_at)
   SELECT r.import_supplier_id, sum(r.requests), count(*), max(r.last_request_at)
     FROM (SELECT import_supplier_id, external_account_number, count(*) AS requests, max(stored_at) AS last_request_at
             FROM import_request
            GROUP BY import_supplier_id, external_account_number) AS r
    GROUP BY r.import_supplier_id
       ON CONFLICT (import_supplier_id) DO UPDATE
      SET requests = excluded.requests, loaded_accounts = excluded.loaded_accounts,
          last_request_at = excluded.last_request_at`,
  ...Object.entries(ITEM_TABLES).map(
    ([column, table]) =>
      `INSERT INTO supplier_total AS t (import_supplier_id, ${column})
       SELECT item.import_supplier_id, count(*) FROM ${table} item GROUP BY item.import_supplier_id
           ON CONFLICT (import_supplier_id) DO UPDATE SET ${column} = excluded.${column}`,
  ),
  `INSERT INTO supplier_total AS t (import_supplier_id, amount)
   SELECT b.import_supplier_id, sum(b.amount) FROM transaction b GROUP BY b.import_supplier_id
       ON CONFLICT (import_supplier_id) DO UPDATE SET amount = excluded.amount`,
];

const DOWN = `
DROP TABLE supplier_minute, supplier_total, supplier_change;
DROP INDEX account_import_failed, import_refusal_request_id, import_request_request_id, import_request_stored_at;
ALTER TABLE import_request DROP COLUMN duration_ms, DROP COLUMN items, DROP COLUMN amount;
`;

/** What an import request stored in sum, and the totals of suppliers (docs/decisions/0014-totals-behind-the-requests.md). */
export class Totals1795564800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const part of [RECORD_OF_A_REQUEST, TOTALS, ...COUNTED]) await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
