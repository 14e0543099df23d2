import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tieToImportedAccount } from './imported-account.js';

/** Notes, and the record of every load that stored something. */
export class Notes1763700300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One row for each request that stored something: who, when, how much. Rows it stored carry its id.
      CREATE TABLE import_request (
        import_supplier_id integer NOT NULL,
        external_account_number text COLLATE "C" NOT NULL,
        id uuid NOT NULL,
        kind text NOT NULL CHECK (kind IN ('notes', 'transactions', 'statements', 'payment_instruction')),
        api_key_id uuid NOT NULL,
        request_id text NOT NULL,
        stored integer NOT NULL CHECK (stored > 0),
        stored_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (import_supplier_id, external_account_number, id)
      )`);
    await runner.query(`
      -- What makes two notes the same: the body, or without one the list of paths. Paths hold no line feed.
      CREATE FUNCTION note_content_hash(body text, document_paths text[]) RETURNS bytea
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT sha256(convert_to(
          CASE WHEN body <> '' THEN 'b' || body ELSE 'p' || array_to_string(document_paths, E'\\n') END, 'UTF8'))
      $$`);
    await runner.query(`
      CREATE TABLE note (
        import_supplier_id integer NOT NULL,
        external_account_number text COLLATE "C" NOT NULL,
        content_hash bytea NOT NULL GENERATED ALWAYS AS (note_content_hash(body, document_paths)) STORED,
        created_at timestamptz NOT NULL,
        created_at_sent boolean NOT NULL,
        import_request_id uuid NOT NULL,
        body text NOT NULL CHECK (char_length(body) <= 50000),
        document_paths text[] NOT NULL DEFAULT '{}',
        document_locations text[] NOT NULL DEFAULT '{}'
          CHECK (cardinality(document_locations) = cardinality(document_paths)),
        is_pinned boolean NOT NULL,
        unpin_at timestamptz CHECK (unpin_at >= created_at OR NOT created_at_sent),
        PRIMARY KEY (import_supplier_id, external_account_number, content_hash, created_at),
        CHECK (body <> '' OR cardinality(document_paths) > 0)
      )`);
    await tieToImportedAccount(runner, 'note');
    // Of the notes that came without a moment, one with the same content is enough: this decides between two requests
    // at the same instant, where a look-up cannot.
    await runner.query(`
      CREATE UNIQUE INDEX note_without_moment ON note (import_supplier_id, external_account_number, content_hash)
        WHERE NOT created_at_sent`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE note`);
    await runner.query(`DROP FUNCTION note_content_hash(text, text[])`);
    await runner.query(`DROP TABLE import_request`);
  }
}
