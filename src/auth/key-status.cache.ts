import { Injectable } from '@nestjs/common';
import { TimedCache } from '../infrastructure/limits/timed-cache.js';
import { query, run } from '../infrastructure/database/query.js';
import { UnitOfWork } from '../infrastructure/database/unit-of-work.js';
import { isOfPlatform, PLATFORM_TOKEN_VERSION, type TokenClaims } from './token.service.js';

/** The state of a key in the database. */
export interface KeyStatus {
  /** The claim `sub` of its tokens: the id of the organisation, or of the platform key. */
  readonly subject: string;
  /** Name of the organisation, or of the platform key. */
  readonly name: string;
  /** The only supplier that a platform key may read; null for all suppliers. */
  readonly importSupplierId: number | null;
  /** Tokens with another version are revoked (choice A4). */
  readonly tokenVersion: number;
  readonly isRevoked: boolean;
  /** Milliseconds since 1970; infinity for a key that does not expire. */
  readonly expiresAtMs: number;
}

/** The select list for the state of a key `k`. */
const STATE = `k.revoked_at IS NOT NULL AS "isRevoked",
          coalesce(extract(epoch FROM k.expires_at) * 1000, 'infinity')::float8 AS "expiresAtMs"`;

const API_KEY_STATUS = query<KeyStatus>(
  'auth.api_key_status',
  `SELECT o.id AS subject, o.name, NULL AS "importSupplierId", o.token_version AS "tokenVersion", ${STATE}
     FROM api_key k
     JOIN organisation o ON o.id = k.organisation_id
    WHERE k.id = :id`,
);

const PLATFORM_KEY_STATUS = query<KeyStatus>(
  'auth.platform_key_status',
  `SELECT k.id AS subject, k.name, k.import_supplier_id AS "importSupplierId", ${PLATFORM_TOKEN_VERSION} AS "tokenVersion",
          ${STATE}
     FROM platform_key k
    WHERE k.id = :id`,
);

/** Lifetime of an entry. A revocation takes effect after this time at the latest; choice A7 allows 5 s. */
const TTL_MS = 2_000;

/**
 * Caches the status of the keys in use for two seconds each. A token is checked before the request's body is read, so
 * the status cannot be part of the query that the request itself needs.
 *
 * A failed query is not cached, and no token is accepted while the database does not answer.
 */
@Injectable()
export class KeyStatusCache {
  private readonly cache = new TimedCache<KeyStatus | undefined>(TTL_MS);

  constructor(private readonly work: UnitOfWork) {}

  /**
   * The status of a token's key, at most two seconds old. If the token has a newer version than the cached status, another instance
   * has raised the version since, so the status is loaded again.
   *
   * @returns undefined when there is no such key
   * Source: choices A4, A7.
   */
  async find(claims: Pick<TokenClaims, 'aud' | 'key' | 'gen'>): Promise<KeyStatus | undefined> {
    const cached = this.cache.get(claims.key);
    if (cached) {
      const status = await cached;
      if (!status || status.tokenVersion >= claims.gen) return status;
    }
    return this.cache.set(claims.key, this.load(claims));
  }

  /** Drop every entry, so that this process sees its own change at once. */
  clear(): void {
    this.cache.clear();
  }

  private async load({ aud, key: id }: Pick<TokenClaims, 'aud' | 'key'>): Promise<KeyStatus | undefined> {
    const wanted = isOfPlatform({ aud }) ? PLATFORM_KEY_STATUS : API_KEY_STATUS;
    return (await this.work.query((tx) => run(tx, wanted, { id })))[0];
  }
}
