import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a refused request was about: the ids of its items, and refused values as far as they may be kept (docs/decisions/0022-*.md). */
export class RefusedItems1795996820000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE import_refusal
         ADD COLUMN items jsonb,
         ADD CONSTRAINT items_are_a_list_of_at_most_20
           CHECK (CASE jsonb_typeof(items) WHEN 'array' THEN jsonb_array_length(items) BETWEEN 1 AND 20 ELSE items IS NULL END),
         ADD CONSTRAINT items_are_small CHECK (pg_column_size(items) <= 8192)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_refusal DROP COLUMN items');
  }
}
