import { Injectable } from '@nestjs/common';
import { run, query } from '../database/query.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/** What the database says of an API key just now. */
export interface Access {
  readonly organisationId: string;
  readonly organisationName: string;
  /** Tokens of another generation are revoked (contract A4). */
  readonly generation: number;
  readonly isRevoked: boolean;
  /** Milliseconds since 1970, or infinity for a key without an end. */
  readonly expiresAtMs: number;
}

/** How long an answer is relied on. A revocation is noticed after this at the latest; the contract allows 5 s (A7). */
const FRESH_MS = 2_000;
/** Keys remembered at most; beyond it the oldest is forgotten and asked again. */
const KEYS_MAX = 10_000;

interface Remembered {
  readonly askedAtMs: number;
  readonly access: Promise<Access | undefined>;
}

interface AccessRow {
  organisation_id: string;
  organisation_name: string;
  token_version: number;
  is_revoked: boolean;
  expires_at_ms: number | null;
}

const FIND_ACCESS = query<AccessRow>(
  'auth.access',
  `SELECT o.id AS organisation_id, o.name AS organisation_name, o.token_version,
          k.revoked_at IS NOT NULL AS is_revoked,
          (extract(epoch FROM k.expires_at) * 1000)::float8 AS expires_at_ms
     FROM api_key k
     JOIN organisation o ON o.id = k.organisation_id
    WHERE k.id = $1`,
);

/**
 * Which API keys are good, asked of the database at most once every two seconds for each key in use. A token is
 * checked before its request's body is read, so the answer cannot ride along with the request's own statement.
 *
 * When the database does not answer, nobody is let in.
 */
@Injectable()
export class ApiKeyStatusCache {
  private readonly remembered = new Map<string, Remembered>();

  constructor(private readonly work: UnitOfWork) {}

  /**
   * @param generation of the token that is looked at. One that is newer than what is remembered shows that another
   *   instance has begun a generation since, so the database is asked again.
   * @returns nothing when there is no such key
   */
  async find(apiKeyId: string, generation: number): Promise<Access | undefined> {
    const known = this.remembered.get(apiKeyId);
    const now = performance.now();
    if (known && now - known.askedAtMs < FRESH_MS) {
      const access = await known.access;
      if (!access || access.generation >= generation) return access;
    }
    const access = this.ask(apiKeyId);
    this.remember(apiKeyId, { askedAtMs: now, access });
    return access;
  }

  /** Forget what is known, so that a change made by this very process is seen at once. */
  forget(): void {
    this.remembered.clear();
  }

  private async ask(apiKeyId: string): Promise<Access | undefined> {
    try {
      const [row] = await this.work.single((tx) => run(tx, FIND_ACCESS, [apiKeyId]));
      return row && toAccess(row);
    } catch (error) {
      this.remembered.delete(apiKeyId);
      throw error;
    }
  }

  private remember(apiKeyId: string, entry: Remembered): void {
    this.remembered.delete(apiKeyId);
    this.remembered.set(apiKeyId, entry);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size > KEYS_MAX && oldest !== undefined) this.remembered.delete(oldest);
  }
}

function toAccess(row: AccessRow): Access {
  return {
    organisationId: row.organisation_id,
    organisationName: row.organisation_name,
    generation: row.token_version,
    isRevoked: row.is_revoked,
    expiresAtMs: row.expires_at_ms ?? Infinity,
  };
}
