import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
CREATE TABLE organisation (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  name text NOT NULL,
  -- A token carries the version that was current when it was issued. Raising the version revokes every earlier token.
  token_version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT organisation_name_is_unique UNIQUE (name),
  CONSTRAINT name_has_1_to_128_characters CHECK (char_length(name) BETWEEN 1 AND 128),
  CONSTRAINT name_has_no_control_characters CHECK (name !~ '[\\u0001-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]')
);

CREATE TABLE api_key (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  organisation_id uuid NOT NULL CONSTRAINT organisation_exists REFERENCES organisation,
  -- The part of the key by which it is looked up. The secret part is only stored as a hash.
  handle text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL,
  label text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  -- When a token was last obtained with the key, and when somebody last signed in to the console with it.
  last_used_at timestamptz,
  last_signed_in_at timestamptz,
  CONSTRAINT api_key_handle_is_unique UNIQUE (handle),
  CONSTRAINT key_hash_has_32_bytes CHECK (octet_length(key_hash) = 32),
  CONSTRAINT label_has_no_control_characters CHECK (label !~ '[\\u0001-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]')
);
CREATE INDEX api_key_organisation ON api_key (organisation_id);

-- Keys with which the platform reads the feed.
CREATE TABLE platform_key (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  handle text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL,
  name text NOT NULL,
  -- The only supplier that the key may read; null for all of them. There is no foreign key: on several nodes, keys stay outside
  -- of Citus, so that they are checked whichever node is unavailable. No command deletes a supplier.
  import_supplier_id integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz,
  CONSTRAINT platform_key_handle_is_unique UNIQUE (handle),
  CONSTRAINT key_hash_has_32_bytes CHECK (octet_length(key_hash) = 32),
  CONSTRAINT name_has_1_to_128_characters CHECK (char_length(name) BETWEEN 1 AND 128),
  CONSTRAINT name_has_no_control_characters CHECK (name !~ '[\\u0001-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]')
);

-- The state of the generic cell rate algorithm. A database crash empties an unlogged table; here that only costs the counts of
-- the last minute.
CREATE UNLOGGED TABLE rate_limit (
  subject text PRIMARY KEY,
  -- When the subject may use its whole limit at once again.
  theoretical_arrival_at timestamptz NOT NULL
);
`;

const DOWN = `DROP TABLE rate_limit, platform_key, api_key, organisation`;

/** Organisations, the API keys of suppliers and of the platform, and the state of the rate limiter. */
export class OrganisationsAndKeys1795998000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
