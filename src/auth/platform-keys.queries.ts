import { query } from '../infrastructure/database/query.js';
import { recordUseOf } from './key-use.queries.js';
import type { StoredSecretKey } from './secret-key.js';

/** The columns that verify a key. */
interface StoredPlatformKey extends StoredSecretKey {
  readonly id: string;
  readonly expiresAt: Date;
}

/** Hand-written SQL for the same reason as for API keys: a caller with a wrong key can cause this query. */
export const FIND_BY_HANDLE = query<StoredPlatformKey>(
  'auth.platform_key_find_by_handle',
  `SELECT k.id, k.key_hash AS "keyHash", k.revoked_at AS "revokedAt", k.expires_at AS "expiresAt"
     FROM platform_key k
    WHERE k.handle = :handle`,
);

export const RECORD_USE = recordUseOf('platform_key');
