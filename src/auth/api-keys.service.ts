import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { CommandError } from '../common/command-error.js';
import { isUuid } from '../common/uuid.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import type { TokenSubject } from './token.service.js';

/** Makes a key recognisable to people, and to programs that look for secrets where none should be. */
const PREFIX = 'adi_live_';
const HANDLE_BYTES = 8;
const SECRET_BYTES = 32;

/** Prefix, handle in hexadecimal, secret in base64url. */
const KEY = /^adi_live_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;

/** Compared with when there is nothing to compare with, so that an unknown handle takes as long as a known one. */
const NO_HASH = Buffer.alloc(32);

/** A key as operators see it; nothing of its secret can be found out again. */
export interface ApiKeySummary {
  readonly id: string;
  /** The part of the key before its secret. */
  readonly prefix: string;
  readonly label: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** When a token was last obtained with it, to the minute. */
  readonly lastUsedAt: Date | null;
}

/** A key on the one occasion on which it is shown. */
export interface IssuedApiKey {
  readonly id: string;
  /** The key itself; never log it. */
  readonly key: string;
  readonly label: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** The API keys of the organisations (contract A6). */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: ApiKeysRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Whom a key stands for.
   *
   * @returns nothing for a key that is wrong, revoked or expired; which of these it is, nobody is told
   * Source: specification 5 (2); contract A6.
   */
  async recognise(key: string): Promise<TokenSubject | undefined> {
    const handle = KEY.exec(key)?.[1];
    if (handle === undefined) return undefined;
    const stored = await this.work.single((tx) => this.repository.findByHandle(tx, handle));
    const isSame = timingSafeEqual(hashOf(key), stored?.hash ?? NO_HASH);
    if (!stored || !isSame || stored.isRevoked || this.isOver(stored.expiresAt)) return undefined;
    await this.recordUse(stored.id);
    const { organisationId, id, generation, expiresAt } = stored;
    return {
      organisationId,
      apiKeyId: id,
      generation,
      ...(expiresAt && { keyEndsAt: Math.ceil(expiresAt.getTime() / 1_000) }),
    };
  }

  /** Note that a token was obtained with a key. */
  async recordUse(id: string): Promise<void> {
    await this.work.single((tx) => this.repository.recordUse(tx, id));
  }

  /**
   * Make a key. Earlier ones stay good, so that a key can be replaced without a gap.
   *
   * @param options.label what the key is for, for people
   * @param options.expiresAt without it the key is good until it is revoked
   * @returns the key, for the only time
   * Source: contract A6.
   */
  async issue(organisationId: string, options: { label: string; expiresAt?: Date }): Promise<IssuedApiKey> {
    const { label, expiresAt = null } = options;
    const handle = randomBytes(HANDLE_BYTES).toString('hex');
    const key = `${PREFIX}${handle}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
    const { id, createdAt } = await this.work.single((tx) =>
      this.repository.insert(tx, { organisationId, handle, keyHash: hashOf(key), label, expiresAt }),
    );
    return { id, key, label, createdAt, expiresAt };
  }

  /** Every key of an organisation, revoked and expired ones too, oldest first. */
  async list(organisationId: string): Promise<ApiKeySummary[]> {
    const keys = await this.work.single((tx) => this.repository.listOf(tx, organisationId));
    return keys.map(({ id, handle, label, createdAt, expiresAt, revokedAt, lastUsedAt }) => ({
      id,
      prefix: PREFIX + handle,
      label,
      createdAt,
      expiresAt,
      revokedAt,
      lastUsedAt,
    }));
  }

  /**
   * Revoke a key and, within seconds, every token that was obtained with it. To revoke it again changes nothing.
   *
   * @returns when it was revoked first
   * @throws CommandError `api_key_not_found`
   * Source: contract A7.
   */
  async revoke(id: string): Promise<Date> {
    const revokedAt = isUuid(id) ? await this.work.single((tx) => this.repository.revoke(tx, id)) : undefined;
    if (!revokedAt) {
      throw new CommandError(
        'api_key_not_found',
        `There is no API key with the id ${id}; api-key list shows the ids.`,
      );
    }
    return revokedAt;
  }

  private isOver(end: Date | null): boolean {
    return end !== null && end <= this.clock.now();
  }
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
