import { query } from '../infrastructure/database/query.js';
import { recordUseOf } from './key-use.queries.js';
import type { StoredSecretKey } from './secret-key.js';

/** The columns that verify a key. */
interface StoredKey extends StoredSecretKey {
  readonly id: string;
  readonly organisationId: string;
  /** The organisation's current token version. */
  readonly tokenVersion: number;
}

/** Hand-written SQL, prepared and as cheap as possible, because a caller with a wrong key can cause this query. */
export const FIND_BY_HANDLE = query<StoredKey>(
  'auth.api_key_find_by_handle',
  `SELECT k.id, k.organisation_id AS "organisationId", k.key_hash AS "keyHash", k.revoked_at AS "revokedAt",
          k.expires_at AS "expiresAt", o.token_version AS "tokenVersion"
     FROM api_key k
     JOIN organisation o ON o.id = k.organisation_id
    WHERE k.handle = :handle`,
);

export const RECORD_USE = {
  token: recordUseOf('api_key'),
  sign_in: recordUseOf('api_key', 'last_signed_in_at'),
};

/** The use of a key: to obtain a token, or to sign in to the console. */
export type KeyUse = keyof typeof RECORD_USE;
