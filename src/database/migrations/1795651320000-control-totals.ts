import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- What the supplier says that an account must hold; unset where nothing was said. It is gone with the account.
CREATE TABLE account_control (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  notes bigint,
  transactions bigint,
  -- Of the transactions.
  amount numeric,
  statements bigint,
  payment_instructions bigint,
  -- Whether the records of the account's import requests add up to something else.
  differs boolean NOT NULL,
  PRIMARY KEY (import_supplier_id, external_account_number),
  CONSTRAINT account_import_exists FOREIGN KEY (import_supplier_id, external_account_number)
    REFERENCES account_import ON DELETE CASCADE,
  CONSTRAINT control_expects_something
    CHECK (num_nonnulls(notes, transactions, amount, statements, payment_instructions) > 0),
  CONSTRAINT control_counts_are_not_negative
    CHECK (least(notes, transactions, statements, payment_instructions) >= 0)
);
CREATE INDEX account_control_differing ON account_control (import_supplier_id, external_account_number) WHERE differs;

ALTER TABLE supplier_total
  -- Accounts with control totals, and those of them that differ, as they were counted last.
  ADD COLUMN controlled bigint NOT NULL DEFAULT 0,
  ADD COLUMN differing bigint NOT NULL DEFAULT 0,
  -- When they were counted, and everything up to which moment was judged by then.
  ADD COLUMN controls_counted_at timestamptz,
  ADD COLUMN controls_as_of timestamptz,
  -- Whether one of them may have changed since then.
  ADD COLUMN are_controls_stale boolean NOT NULL DEFAULT false;
`;

const DOWN = `
ALTER TABLE supplier_total
  DROP COLUMN controlled, DROP COLUMN differing, DROP COLUMN controls_counted_at, DROP COLUMN controls_as_of,
  DROP COLUMN are_controls_stale;
DROP TABLE account_control;
`;

/** What accounts must hold (docs/decisions/0016-proof-by-content.md). */
export class ControlTotals1795651320000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
