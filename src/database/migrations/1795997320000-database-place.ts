import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- One row once the embedded database was used: where its files were then.
CREATE TABLE database_place (
  is_only boolean PRIMARY KEY DEFAULT true,
  place text NOT NULL,
  CONSTRAINT there_is_one_place CHECK (is_only)
);
`;

/** A database whose files were moved or restored is noticed. */
export class DatabasePlace1795997320000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE database_place');
  }
}
