import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a view is of, by its action. */
const VIEW_IS_OF = (actionsOfSupplier: string): string => `
ALTER TABLE viewed
  DROP CONSTRAINT view_is_of_an_account_a_supplier_or_a_session,
  ADD CONSTRAINT view_is_of_an_account_a_supplier_or_a_session CHECK (
    CASE WHEN action IN ('account.view', 'account.rows', 'document.view')
         THEN num_nulls(import_supplier, external_account_number) = 0 AND session_id IS NULL
         -- Of all accounts of a supplier.
         WHEN action IN (${actionsOfSupplier})
         THEN import_supplier IS NOT NULL AND external_account_number = '' AND session_id IS NULL
         WHEN action IN ('console.sign_in', 'console.sign_out')
         THEN num_nonnulls(import_supplier, external_account_number) = 0 AND session_id IS NOT NULL
         ELSE false
     END);
`;

const UP = `
CREATE TABLE platform_key (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  -- The part of the key by which it is looked up. The secret part is stored as a hash only.
  handle text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL,
  name text NOT NULL,
  -- The only supplier that the key may read; unset for every one. Without a foreign key, because on several nodes keys stay outside
  -- of Citus, so that they are checked whichever node is away. No command deletes a supplier.
  import_supplier_id integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  last_used_at timestamptz,
  CONSTRAINT platform_key_handle_is_unique UNIQUE (handle),
  CONSTRAINT key_hash_has_32_bytes CHECK (octet_length(key_hash) = 32),
  CONSTRAINT name_has_1_to_128_characters CHECK (char_length(name) BETWEEN 1 AND 128)
);
${VIEW_IS_OF("'failures.download', 'feed.read'")}`;

/** Evidence of what is not there any more has no place in the table. */
const DOWN = `
DELETE FROM viewed WHERE action = 'feed.read';
${VIEW_IS_OF("'failures.download'")}
DROP TABLE platform_key;
`;

/** Keys with which the platform reads the feed, and evidence of its reads (docs/decisions/0019-a-feed-without-gaps.md). */
export class PlatformKeys1795910400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
