import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- When the rows that the request stored were removed again; its record stays.
ALTER TABLE import_request ADD COLUMN undone_at timestamptz;
`;

const DOWN = `ALTER TABLE import_request DROP COLUMN undone_at`;

/** Import requests whose rows were removed (docs/decisions/0016-proof-by-content.md). */
export class UndoneRequests1795651260000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
