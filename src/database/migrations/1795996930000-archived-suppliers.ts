import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a supplier is hidden from lists and alerts, because its migration is over. */
export class ArchivedSuppliers1795996930000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE import_supplier
         ADD COLUMN archived_at timestamptz,
         ADD CONSTRAINT archived_supplier_is_complete CHECK (archived_at IS NULL OR status = 'complete')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_supplier DROP COLUMN archived_at');
  }
}
