import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Without a constraint: PostgreSQL reads the text of each anew for every query. Of a transaction that was moved before, the note
 * is what stands before the sentence; whether an empty one was sent is not known of these, and none is assumed.
 */
const UP = `
-- The note that was sent with a transaction that was moved; null when none was, and of all others.
ALTER TABLE transaction ADD COLUMN sent_note text;

UPDATE transaction t
   SET sent_note = left(t.note, -char_length(' ' || moved.sentence))
  FROM (SELECT m.import_supplier_id, m.external_account_number, m.transaction_id, m.occurrence,
               format('The transaction date was changed from %s to %s, which lies in the open statement period.',
                      m.sent_date, m.transaction_date) AS sentence
          FROM transaction m
         WHERE m.sent_date IS NOT NULL) AS moved
 WHERE t.import_supplier_id = moved.import_supplier_id
   AND t.external_account_number = moved.external_account_number
   AND t.transaction_id = moved.transaction_id
   AND t.occurrence = moved.occurrence
   AND right(t.note, char_length(' ' || moved.sentence)) = ' ' || moved.sentence;
`;

const DOWN = `ALTER TABLE transaction DROP COLUMN sent_note`;

/** What was sent as the note of a transaction whose date was changed (docs/decisions/0016-proof-by-content.md). */
export class SentNotes1795651200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
