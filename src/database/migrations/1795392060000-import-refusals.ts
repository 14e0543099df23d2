import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- Import requests that were refused with 400 or 404, kept for a limited time. Unlike the other tables of an account it also
-- has numbers of no account, and '' where the request had none.
CREATE TABLE import_refusal (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  -- Version 7: it has the time of the refusal, so that this order is that of time.
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  api_key_id uuid NOT NULL,
  request_id text NOT NULL,
  status smallint NOT NULL,
  code text NOT NULL,
  -- Path and code of the first field error, where the refusal has one.
  attr text,
  field_code text,
  is_dry_run boolean NOT NULL,
  PRIMARY KEY (import_supplier_id, external_account_number, id),
  CONSTRAINT external_account_number_has_at_most_128_characters CHECK (char_length(external_account_number) <= 128),
  CONSTRAINT kind_is_known CHECK (kind IN ('notes', 'transactions', 'statements', 'payment_instruction')),
  CONSTRAINT request_id_has_at_most_128_characters CHECK (char_length(request_id) <= 128),
  CONSTRAINT status_is_400_or_404 CHECK (status IN (400, 404)),
  CONSTRAINT attr_has_at_most_256_characters CHECK (char_length(attr) <= 256),
  CONSTRAINT attr_if_and_only_if_field_code CHECK ((attr IS NULL) = (field_code IS NULL))
);
-- What is removed first, and the refusals of a supplier since some time.
CREATE INDEX import_refusal_at ON import_refusal (import_supplier_id, at);
`;

/** Import requests that were refused. */
export class ImportRefusals1795392060000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE import_refusal');
  }
}
