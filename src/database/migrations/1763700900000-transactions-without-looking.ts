import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Find out whether an account has transactions that were added without looking, whose keys do not tell that they are
 * there. Few accounts have any, so the index stays small, and what is added the usual way does not touch it.
 */
export class TransactionsWithoutLooking1763700900000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX transaction_without_looking ON transaction (import_supplier_id, external_account_number)
        WHERE occurrence <> 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX transaction_without_looking`);
  }
}
