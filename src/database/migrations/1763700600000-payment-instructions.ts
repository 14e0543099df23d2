import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tieToImportedAccount } from './imported-account.js';

/** Payment instructions that a vendor has confirmed. */
export class PaymentInstructions1763700600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Stands for the reference in the key: 512 characters of four bytes are more than an index takes.
      CREATE FUNCTION payment_reference_hash(reference text) RETURNS bytea
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT sha256(convert_to(reference, 'UTF8'))
      $$`);
    await runner.query(`
      CREATE TABLE payment_instruction (
        import_supplier_id integer NOT NULL,
        external_account_number text COLLATE "C" NOT NULL,
        vendor text COLLATE "C" NOT NULL CHECK (char_length(vendor) BETWEEN 1 AND 128),
        reference_hash bytea NOT NULL GENERATED ALWAYS AS (payment_reference_hash(reference)) STORED,
        import_request_id uuid NOT NULL,
        reference text COLLATE "C" NOT NULL CHECK (char_length(reference) BETWEEN 1 AND 512),
        type text COLLATE "C" NOT NULL CHECK (char_length(type) BETWEEN 1 AND 128),
        details jsonb NOT NULL CHECK (jsonb_typeof(details) = 'object'),
        verified_at timestamptz NOT NULL,
        PRIMARY KEY (import_supplier_id, external_account_number, vendor, reference_hash),
        -- The shortest card numbers have twelve digits; nothing that is kept of an instruction has so many in a row.
        CONSTRAINT payment_instruction_holds_no_card_number CHECK (details::text !~ '([0-9][ -]?){12}')
      )`);
    await tieToImportedAccount(runner, 'payment_instruction');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE payment_instruction`);
    await runner.query(`DROP FUNCTION payment_reference_hash(text)`);
  }
}
