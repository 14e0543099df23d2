import { Injectable } from '@nestjs/common';
import { TimedCache } from '../common/timed-cache.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/** The state of a key in the database. */
export interface KeyStatus {
  /** The claim `sub` of its tokens. */
  readonly subject: string;
  /** Tokens with another version are revoked (choice A4). */
  readonly tokenVersion: number;
  readonly isRevoked: boolean;
  /** Milliseconds since 1970; infinity for a key that does not expire. */
  readonly expiresAtMs: number;
}

/** How long an entry is used. A revocation takes effect after this at the latest; choice A7 allows 5 s. */
const TTL_MS = 2_000;

/**
 * Caches the status of the keys in use for two seconds each. A token is checked before the request's body is read, so
 * the status cannot be part of the query that the request itself needs.
 *
 * Nothing is cached of a query that fails, so that no token is accepted while the database does not answer.
 */
@Injectable()
export abstract class KeyStatusCache<Status extends KeyStatus> {
  private readonly cache = new TimedCache<Status | undefined>(TTL_MS);

  constructor(protected readonly work: UnitOfWork) {}

  /**
   * The status of a key, at most two seconds old.
   *
   * @param tokenVersion the version of the token that is checked. When it is newer than the cached one, another instance has
   *   raised the version since, and the status is loaded again.
   * @returns nothing when there is no such key
   * Source: choices A4, A7.
   */
  async find(keyId: string, tokenVersion: number): Promise<Status | undefined> {
    const cached = this.cache.get(keyId);
    if (cached) {
      const status = await cached;
      if (!status || status.tokenVersion >= tokenVersion) return status;
    }
    return this.cache.set(keyId, this.load(keyId));
  }

  /** Drop every entry, so that this process sees its own change at once. */
  clear(): void {
    this.cache.clear();
  }

  protected abstract load(keyId: string): Promise<Status | undefined>;
}
