import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- A link with which an operator signs in to the console once. The code itself is not stored.
CREATE TABLE console_sign_in_code (
  code_hash bytea PRIMARY KEY,
  operator text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
  used_at timestamptz,
  CONSTRAINT code_hash_has_32_bytes CHECK (octet_length(code_hash) = 32),
  CONSTRAINT operator_of_code_is_not_empty CHECK (operator <> '')
);
CREATE INDEX console_sign_in_code_end ON console_sign_in_code (expires_at);

CREATE TABLE console_session (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  -- Of the secret in the cookie, which is not stored.
  secret_hash bytea NOT NULL,
  operator text,
  api_key_id uuid CONSTRAINT session_api_key_exists REFERENCES api_key,
  -- The version of the organisation's tokens at the sign-in: raising it ends the session too.
  token_version integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL DEFAULT now() + interval '12 hours',
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  CONSTRAINT session_secret_is_unique UNIQUE (secret_hash),
  CONSTRAINT secret_hash_has_32_bytes CHECK (octet_length(secret_hash) = 32),
  CONSTRAINT session_is_of_an_operator_or_an_api_key CHECK (num_nonnulls(operator, api_key_id) = 1),
  CONSTRAINT operator_of_session_is_not_empty CHECK (operator <> ''),
  CONSTRAINT token_version_only_with_api_key CHECK ((token_version IS NULL) = (api_key_id IS NULL))
);
CREATE INDEX console_session_end ON console_session (expires_at);
`;

const DOWN = `DROP TABLE console_session, console_sign_in_code`;

/** Who is signed in to the console, and the links with which operators sign in. */
export class ConsoleSessions1795564920000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
