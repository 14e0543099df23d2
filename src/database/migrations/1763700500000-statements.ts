import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tieToImportedAccount } from './imported-account.js';

/** Historical statements. */
export class Statements1763700500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Undoes a statement that found in the end that another one was faster: the code of a serialization failure has
      -- it tried again, and then it sees what the other one stored.
      CREATE FUNCTION lost_race() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        RAISE EXCEPTION 'another request stored one of these rows first' USING ERRCODE = 'serialization_failure';
      END
      $$`);
    await runner.query(`
      CREATE TABLE statement (
        import_supplier_id integer NOT NULL,
        external_account_number text COLLATE "C" NOT NULL,
        statement_id text COLLATE "C" NOT NULL CHECK (char_length(statement_id) BETWEEN 1 AND 128),
        bill_period_from_date date NOT NULL,
        bill_period_to_date date NOT NULL CHECK (bill_period_from_date <= bill_period_to_date),
        issued_date date,
        number text COLLATE "C" CHECK (char_length(number) BETWEEN 1 AND 128),
        gross_amount numeric CHECK (scale(gross_amount) <= 10),
        statement_path text CHECK (octet_length(statement_path) BETWEEN 1 AND 1024),
        document_location text,
        document_seen_at timestamptz,
        import_request_id uuid NOT NULL,
        PRIMARY KEY (import_supplier_id, external_account_number, statement_id),
        CHECK ((statement_path IS NULL) = (document_location IS NULL)),
        CHECK (document_seen_at IS NULL OR document_location IS NOT NULL)
      )`);
    await tieToImportedAccount(runner, 'statement');
    // What "documents check" still has to look up, in the order in which it goes through it.
    await runner.query(`
      CREATE INDEX statement_document_not_seen
          ON statement (import_supplier_id, external_account_number, statement_id)
       WHERE document_location IS NOT NULL AND document_seen_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE statement`);
    await runner.query(`DROP FUNCTION lost_race()`);
  }
}
