import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organisations, their API keys, and the allowances that slow down guessing. */
export class Organisations1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organisation (
        id uuid PRIMARY KEY DEFAULT uuidv7(),
        name text NOT NULL UNIQUE CHECK (char_length(name) BETWEEN 1 AND 128),
        -- Every token carries the generation it was issued in; raising it ends them all.
        token_version integer NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE api_key (
        id uuid PRIMARY KEY DEFAULT uuidv7(),
        organisation_id uuid NOT NULL REFERENCES organisation,
        -- The part of the key that finds it; the secret itself is kept as a hash only.
        handle text COLLATE "C" NOT NULL UNIQUE,
        key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
        label text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        revoked_at timestamptz,
        last_used_at timestamptz
      )`);
    await runner.query(`CREATE INDEX api_key_organisation ON api_key (organisation_id)`);
    await runner.query(`
      -- What is lost here by a crash of the database is a minute of counting.
      CREATE UNLOGGED TABLE rate_limit (
        subject text PRIMARY KEY,
        -- The moment at which the subject has its whole allowance again.
        restored_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE rate_limit, api_key, organisation`);
  }
}
