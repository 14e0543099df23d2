import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tieToImportedAccount } from './imported-account.js';

/** Financial transactions. */
export class Transactions1763700700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A transaction that was added without looking whether it is there already gets a number of its own.
    await runner.query(`CREATE SEQUENCE transaction_occurrence AS bigint`);
    await runner.query(`
      CREATE TABLE transaction (
        import_supplier_id integer NOT NULL,
        external_account_number text COLLATE "C" NOT NULL,
        transaction_id text COLLATE "C" NOT NULL CHECK (char_length(transaction_id) BETWEEN 1 AND 128),
        -- 0 for a transaction that was looked for first: there can be one only, which the primary key sees to.
        occurrence bigint NOT NULL DEFAULT 0,
        import_request_id uuid NOT NULL,
        transaction_date date NOT NULL,
        -- The day that was sent, when the transaction was moved into the open statement period.
        sent_date date CHECK (sent_date <> transaction_date),
        amount numeric(14, 2) NOT NULL,
        type text NOT NULL CHECK (type IN ('CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE')),
        reason text,
        reference text,
        payment_type text,
        display_note text,
        note text,
        product_code text,
        line_items jsonb CHECK (jsonb_typeof(line_items) = 'array'),
        tax_items jsonb CHECK (jsonb_typeof(tax_items) = 'array'),
        PRIMARY KEY (import_supplier_id, external_account_number, transaction_id, occurrence),
        CHECK (type <> 'SUPPLY_CHARGE' OR (product_code IS NOT NULL AND line_items IS NOT NULL))
      )`);
    await tieToImportedAccount(runner, 'transaction');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE transaction`);
    await runner.query(`DROP SEQUENCE transaction_occurrence`);
  }
}
