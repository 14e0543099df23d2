import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The list of what is imported reads only that: while a migration has just begun, nearly all accounts of a supplier are
 * pending, and every question for the list would go through all of them.
 *
 * An account has the moment of its making exactly when it is imported. Said in these words, no statement but the list's can
 * use the index: one that asks for a certain imported account would, while nothing is imported yet, and read all of them
 * later on.
 */
export class ImportedAccountsInOrder1763701200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX account_import_imported ON account_import (import_supplier_id, external_account_number)
        WHERE account_created_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX account_import_imported`);
  }
}
