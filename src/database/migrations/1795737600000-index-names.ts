import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The index has the accounts that are not imported: those whose import failed as well as the pending ones. */
export class IndexNames1795737600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER INDEX account_import_pending RENAME TO account_import_not_imported');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER INDEX account_import_not_imported RENAME TO account_import_pending');
  }
}
