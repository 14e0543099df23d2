import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The index by which the staged objects of imported accounts are found when they have been kept long enough. */
export class StagedRetention1795392180000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- Staged objects that are still kept, oldest first. An account leaves it when its object is removed.
CREATE INDEX account_import_staged_object ON account_import (import_supplier_id, account_created_at)
  WHERE account_created_at IS NOT NULL AND account IS NOT NULL;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX account_import_staged_object');
  }
}
