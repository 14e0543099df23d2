import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Compute the hashes that stand in keys in PL/pgSQL. An SQL function that is immutable but calls what is only stable
 * cannot be taken apart by the planner, which tries so anew for every statement and then runs it as a query of its own
 * for every row. The values stay the same.
 */
export class HashesInPlpgsql1763701000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION note_content_hash(body text, document_paths text[]) RETURNS bytea
        LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
      BEGIN
        RETURN sha256(convert_to(
          CASE WHEN body <> '' THEN 'b' || body ELSE 'p' || array_to_string(document_paths, E'\\n') END, 'UTF8'));
      END $$`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION payment_reference_hash(reference text) RETURNS bytea
        LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
      BEGIN
        RETURN sha256(convert_to(reference, 'UTF8'));
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION payment_reference_hash(reference text) RETURNS bytea
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT sha256(convert_to(reference, 'UTF8'))
      $$`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION note_content_hash(body text, document_paths text[]) RETURNS bytea
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT sha256(convert_to(
          CASE WHEN body <> '' THEN 'b' || body ELSE 'p' || array_to_string(document_paths, E'\\n') END, 'UTF8'))
      $$`);
  }
}
