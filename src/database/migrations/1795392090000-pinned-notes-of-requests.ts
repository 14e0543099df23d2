import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- An import of transactions may also pin a note, which "stored" does not count.
ALTER TABLE import_request
  ADD COLUMN pinned_notes integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT pinned_notes_only_with_transactions
    CHECK (pinned_notes = 0 OR pinned_notes = 1 AND kind = 'transactions');
`;

/** The record of an import request counts all its rows. */
export class PinnedNotesOfRequests1795392090000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_request DROP COLUMN pinned_notes');
  }
}
