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

/** A key that still works but is about to expire. */
export interface ExpiringKey {
  readonly id: string;
  readonly organisation: string;
  readonly label: string;
  readonly expiresAt: Date;
}

/** Runs whenever the overview of the console updates. Without an organisation it finds the keys of all. */
export const EXPIRING = query<ExpiringKey>(
  'auth.expiring_api_keys',
  `SELECT k.id, o.name AS organisation, k.label, k.expires_at AS "expiresAt"
     FROM api_key k
     JOIN organisation o ON o.id = k.organisation_id
    WHERE k.revoked_at IS NULL
      AND k.expires_at BETWEEN :from::timestamptz AND :until::timestamptz
      AND (:organisation_id::uuid IS NULL OR k.organisation_id = :organisation_id)
    ORDER BY k.expires_at, k.id`,
);

export const RECORD_USE = {
  token: recordUseOf('api_key'),
  sign_in: recordUseOf('api_key', 'last_signed_in_at'),
};

/** The use of a key: to obtain a token, or to sign in to the console. */
export type KeyUse = keyof typeof RECORD_USE;
