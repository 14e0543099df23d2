import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which documents of a note were not seen, when some of them were: what was seen is not looked up again for the sake of
 * its neighbours.
 */
export class NoteDocumentsOneByOne1763701100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE note ADD COLUMN unseen_document_paths text[]
        CONSTRAINT note_unseen_document_paths
        CHECK (unseen_document_paths IS NULL
               OR documents_seen_at IS NULL AND unseen_document_paths <@ document_paths
                  AND cardinality(unseen_document_paths) > 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE note DROP COLUMN unseen_document_paths`);
  }
}
