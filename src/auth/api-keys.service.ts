import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { Clock } from '../common/clock.js';
import { CommandError } from '../common/command-error.js';
import { formatDateTime } from '../common/dates.js';
import { isUuid } from '../common/uuid.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import type { TokenSubject } from './token.service.js';

/** Identifies a key to people and to secret scanners. */
const PREFIX = 'adi_live_';
const HANDLE_BYTES = 8;
const SECRET_BYTES = 32;

/** Prefix, handle in hexadecimal digits, secret in base64url. */
const KEY = /^adi_live_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;

/** Compared with when the handle is unknown, so that it takes as long as a known one. */
const NO_HASH = Buffer.alloc(32);

/** A key as operators see it, without its secret. */
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

/** A new key; this is the only time that it is shown. */
export interface IssuedApiKey {
  readonly id: string;
  /** The key itself; never log it. */
  readonly key: string;
  readonly label: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** The API keys of the organisations (choice A6). */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: ApiKeysRepository,
    private readonly clock: Clock,
    private readonly audit: AuditService,
  ) {}

  /**
   * Verify an API key and record its use.
   *
   * @returns whom tokens are issued for; nothing for a key that is wrong, revoked or expired, whichever it is
   * Source: specification 5 (2); choice A6.
   */
  async verify(key: string): Promise<TokenSubject | undefined> {
    const handle = KEY.exec(key)?.[1];
    if (handle === undefined) return undefined;
    const stored = await this.work.single((tx) => this.repository.findByHandle(tx, handle));
    const isSame = timingSafeEqual(hashOf(key), stored?.keyHash ?? NO_HASH);
    if (!stored || !isSame || stored.revokedAt || this.isExpired(stored.expiresAt)) return undefined;
    await this.recordUse(stored.id);
    const { organisationId, id, tokenVersion, expiresAt } = stored;
    return {
      organisationId,
      apiKeyId: id,
      tokenVersion,
      ...(expiresAt && { keyExpiresAt: Math.ceil(expiresAt.getTime() / 1_000) }),
    };
  }

  /** Record that a token was obtained with a key. */
  async recordUse(id: string): Promise<void> {
    await this.work.single((tx) => this.repository.recordUse(tx, id));
  }

  /**
   * Issue a key. Earlier keys stay valid, so that a key can be replaced without an interruption.
   *
   * @param options.label what the key is for, for people
   * @param options.expiresAt without it the key is valid until it is revoked
   * @param operator the name that is recorded
   * @returns the key itself, which cannot be shown again
   * Source: choices A6, O6.
   */
  async issue(
    organisationId: string,
    options: { label: string; expiresAt?: Date },
    operator: string,
  ): Promise<IssuedApiKey> {
    const { label, expiresAt = null } = options;
    const handle = randomBytes(HANDLE_BYTES).toString('hex');
    const key = `${PREFIX}${handle}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
    const columns = { organisationId, handle, keyHash: hashOf(key), label, expiresAt };
    const { id, createdAt } = await this.work.write(async (tx) => {
      const inserted = await this.repository.insert(tx, columns);
      await this.record(tx, inserted.id, operator, 'api_key.issue', {
        expires_at: expiresAt && formatDateTime(expiresAt),
      });
      return inserted;
    });
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
   * Revoke a key and, within 5 seconds, every token that was obtained with it. Revoking it again changes nothing.
   *
   * @param operator the name that is recorded
   * @returns when it was first revoked
   * @throws CommandError `api_key_not_found`
   * Source: choices A7, O6.
   */
  async revoke(id: string, operator: string): Promise<Date> {
    const revokedAt = isUuid(id) ? await this.work.write((tx) => this.revokeOnce(tx, id, operator)) : null;
    if (!revokedAt) {
      throw new CommandError(
        'api_key_not_found',
        `There is no API key with the id ${id}; api-key list shows the ids.`,
      );
    }
    return revokedAt;
  }

  private async revokeOnce(tx: Tx, id: string, operator: string): Promise<Date | null> {
    const isNew = await this.repository.revoke(tx, id);
    const revokedAt = (await this.repository.find(tx, id))?.revokedAt ?? null;
    if (isNew && revokedAt) {
      const [from, to] = [{ revoked_at: null }, { revoked_at: formatDateTime(revokedAt) }];
      await this.record(tx, id, operator, 'api_key.revoke', { from, to });
    }
    return revokedAt;
  }

  /** @param details beside the organisation and the label of the key */
  private async record(
    tx: Tx,
    id: string,
    operator: string,
    action: 'api_key.issue' | 'api_key.revoke',
    details: object,
  ): Promise<void> {
    const key = await this.repository.find(tx, id);
    await this.audit.record(tx, {
      operator,
      action,
      subject: id,
      details: { organisation: key?.organisation.name, label: key?.label, ...details },
    });
  }

  private isExpired(expiresAt: Date | null): boolean {
    return expiresAt !== null && expiresAt <= this.clock.now();
  }
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
