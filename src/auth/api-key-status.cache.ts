import { Injectable } from '@nestjs/common';
import { TimedCache } from '../common/timed-cache.js';
import { run, query } from '../database/query.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/** The state of an API key and its organisation in the database. */
export interface ApiKeyStatus {
  readonly organisationId: string;
  readonly organisationName: string;
  /** Tokens with another version are revoked (choice A4). */
  readonly tokenVersion: number;
  readonly isRevoked: boolean;
  /** Milliseconds since 1970; infinity for a key that does not expire. */
  readonly expiresAtMs: number;
}

/** How long an entry is used. A revocation takes effect after this at the latest; choice A7 allows 5 s. */
const TTL_MS = 2_000;
interface StatusRow {
  organisation_id: string;
  organisation_name: string;
  token_version: number;
  is_revoked: boolean;
  expires_at_ms: number | null;
}

const API_KEY_STATUS = query<StatusRow>(
  'auth.api_key_status',
  `SELECT o.id AS organisation_id, o.name AS organisation_name, o.token_version,
          k.revoked_at IS NOT NULL AS is_revoked,
          (extract(epoch FROM k.expires_at) * 1000)::float8 AS expires_at_ms
     FROM api_key k
     JOIN organisation o ON o.id = k.organisation_id
    WHERE k.id = :id`,
);

/**
 * Caches the status of the API keys in use for two seconds each. A token is checked before the request's body is read, so
 * the status cannot be part of the query that the request itself needs.
 *
 * Nothing is cached of a query that fails, so that no token is accepted while the database does not answer.
 */
@Injectable()
export class ApiKeyStatusCache {
  private readonly cache = new TimedCache<ApiKeyStatus | undefined>(TTL_MS);

  constructor(private readonly work: UnitOfWork) {}

  /**
   * The status of an API key, at most two seconds old.
   *
   * @param tokenVersion the version of the token that is checked. When it is newer than the cached one, another instance has
   *   raised the version since, and the status is loaded again.
   * @returns nothing when there is no such key
   * Source: choices A4, A7.
   */
  async find(apiKeyId: string, tokenVersion: number): Promise<ApiKeyStatus | undefined> {
    const cached = this.cache.get(apiKeyId);
    if (cached) {
      const status = await cached;
      if (!status || status.tokenVersion >= tokenVersion) return status;
    }
    return this.cache.set(apiKeyId, this.load(apiKeyId));
  }

  /** Drop every entry, so that this process sees its own change at once. */
  clear(): void {
    this.cache.clear();
  }

  private async load(apiKeyId: string): Promise<ApiKeyStatus | undefined> {
    const [row] = await this.work.single((tx) => run(tx, API_KEY_STATUS, { id: apiKeyId }));
    return row && toStatus(row);
  }
}

function toStatus(row: StatusRow): ApiKeyStatus {
  return {
    organisationId: row.organisation_id,
    organisationName: row.organisation_name,
    tokenVersion: row.token_version,
    isRevoked: row.is_revoked,
    expiresAtMs: row.expires_at_ms ?? Infinity,
  };
}
