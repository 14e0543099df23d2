import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the documents of a note were seen in the store, all of them. */
export class NoteDocumentsSeen1763700550000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE note ADD COLUMN documents_seen_at timestamptz
        CHECK (documents_seen_at IS NULL OR cardinality(document_locations) > 0)`);
    // What "documents check" still has to look up, in the order in which it goes through it.
    await runner.query(`
      CREATE INDEX note_documents_not_seen
          ON note (import_supplier_id, external_account_number, content_hash, created_at)
       WHERE cardinality(document_locations) > 0 AND documents_seen_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX note_documents_not_seen`);
    await runner.query(`ALTER TABLE note DROP COLUMN documents_seen_at`);
  }
}
