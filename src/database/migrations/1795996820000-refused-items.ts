import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a refused request was about: the ids of its items, and refused values as far as they may be kept (docs/decisions/0022-*.md). */
export class RefusedItems1795996820000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE import_refusal
         ADD COLUMN items jsonb,
         ADD CONSTRAINT items_are_an_object
           CHECK (jsonb_typeof(items) = 'object'),
         ADD CONSTRAINT items_are_small CHECK (pg_column_size(items) <= 8192)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_refusal DROP COLUMN items');
  }
}
