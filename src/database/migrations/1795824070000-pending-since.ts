import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when an account waits for its import, however many before it in the order of the numbers have failed. */
export class PendingSince1795824070000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX account_import_pending_since ON account_import (import_supplier_id, staged_at) WHERE status = 'pending'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX account_import_pending_since');
  }
}
