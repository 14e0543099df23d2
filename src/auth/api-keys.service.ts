import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AuditService } from '../infrastructure/audit/audit.service.js';
import { Clock } from '../infrastructure/clock/clock.js';
import { formatDateTime } from '../infrastructure/clock/dates.js';
import { run } from '../infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../infrastructure/database/unit-of-work.js';
import { ApiKey } from './api-key.entity.js';
import { EXPIRING, FIND_BY_HANDLE, RECORD_USE, type ExpiringKey, type KeyUse } from './api-keys.queries.js';
import { revokeKey, type RevokedKey } from './revoke-key.js';
import { isAccepted, SecretKeys, type IssuedSecretKey, type SecretKeySummary } from './secret-key.js';
import type { TokenSubject } from './token.service.js';

const KEYS = new SecretKeys('adi_live_');

export interface ApiKeySummary extends SecretKeySummary {
  readonly label: string;
  /** When somebody last signed in to the console with the key, to the minute. */
  readonly lastSignedInAt: Date | null;
}

export interface IssuedApiKey extends IssuedSecretKey {
  readonly label: string;
}

/** The API keys of the organisations (choice A6). */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    @InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>,
  ) {}

  /**
   * Verify an API key and record its use.
   *
   * @returns the subject of the tokens to issue; undefined for a wrong, revoked or expired key, without saying which
   * Source: specification 5 (2); choice A6.
   */
  async verify(key: string, use: KeyUse = 'token'): Promise<TokenSubject | undefined> {
    const handle = KEYS.handleOf(key);
    if (handle === undefined) return undefined;
    const [stored] = await this.work.query((tx) => run(tx, FIND_BY_HANDLE, { handle }));
    if (!isAccepted(key, stored, this.clock.now())) return undefined;
    await this.recordUse(stored.id, use);
    const { organisationId, id, tokenVersion, expiresAt } = stored;
    return {
      ...{ sub: organisationId, key: id, gen: tokenVersion },
      ...(expiresAt && { keyExpiresAt: Math.ceil(expiresAt.getTime() / 1_000) }),
    };
  }

  /** Record what a key was used for. */
  async recordUse(id: string, use: KeyUse = 'token'): Promise<void> {
    await this.work.query((tx) => run(tx, RECORD_USE[use], { id }));
  }

  /**
   * Issue a key. Earlier keys stay valid, so that a key can be replaced without an interruption.
   *
   * @param options.label tells people the key's purpose
   * @param options.expiresAt if omitted, the key is valid until it is revoked
   * @param operator the name to record
   * @returns the key itself, which cannot be shown again
   * Source: choices A6, O6.
   */
  async issue(
    organisationId: string,
    options: { label: string; expiresAt?: Date },
    operator: string,
  ): Promise<IssuedApiKey> {
    const { label, expiresAt = null } = options;
    const { key, handle, keyHash } = KEYS.make();
    const columns = { organisationId, handle, keyHash, label, expiresAt };
    const { id, createdAt } = await this.work.write(async (tx) => {
      const apiKeys = tx.withRepository(this.apiKeys);
      const inserted = apiKeys.create(columns);
      await apiKeys.insert(inserted);
      await this.record(tx, inserted.id, operator, 'api_key.issue', {
        expires_at: expiresAt && formatDateTime(expiresAt),
      });
      return inserted;
    });
    return { id, key, label, createdAt, expiresAt };
  }

  /** Every key of an organisation, including revoked and expired ones, oldest first: ids follow the order in which keys were issued. */
  async list(organisationId: string): Promise<ApiKeySummary[]> {
    const keys = await this.work.query((tx) =>
      tx.withRepository(this.apiKeys).find({ where: { organisationId }, order: { id: 'ASC' } }),
    );
    return keys.map((key) => ({
      ...KEYS.summaryOf(key),
      ...{ label: key.label, lastSignedInAt: key.lastSignedInAt },
    }));
  }

  /** The keys that expire in a period and are not revoked, next to expire first. @param organisationId undefined for all */
  expiring(organisationId: string | undefined, from: Date, until: Date): Promise<ExpiringKey[]> {
    const wanted = { organisation_id: organisationId ?? null, from, until };
    return this.work.query((tx) => run(tx, EXPIRING, wanted));
  }

  /**
   * Revoke a key and, within 5 seconds, every token that was obtained with it. The call is idempotent.
   *
   * @param operator the name to record
   * @returns the key, with the time when it was first revoked
   * @throws CommandError `api_key_not_found`
   * Source: choices A7, O6.
   */
  async revoke(id: string, operator: string): Promise<RevokedKey> {
    const { revokedAt, label } = await revokeKey(
      this.work,
      'api',
      (tx) => tx.withRepository(this.apiKeys),
      id,
      (tx, details) => this.record(tx, id, operator, 'api_key.revoke', details),
    );
    return { id, label, revokedAt };
  }

  /** @param details details to record in addition to the key's organisation and label */
  private async record(
    tx: Tx,
    id: string,
    operator: string,
    action: 'api_key.issue' | 'api_key.revoke',
    details: object,
  ): Promise<void> {
    const key = await tx
      .withRepository(this.apiKeys)
      .findOne({ where: { id }, relations: { organisation: true } });
    await this.audit.record(tx, {
      operator,
      action,
      subject: id,
      details: { organisation: key?.organisation.name, label: key?.label, ...details },
    });
  }
}
