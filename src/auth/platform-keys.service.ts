import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AuditService } from '../infrastructure/audit/audit.service.js';
import { Clock } from '../infrastructure/clock/clock.js';
import { formatDateTime } from '../infrastructure/clock/dates.js';
import { run } from '../infrastructure/database/query.js';
import { namedSupplierId } from '../infrastructure/database/supplier-codes.js';
import { UnitOfWork, type Tx } from '../infrastructure/database/unit-of-work.js';
import { PlatformKey } from './platform-key.entity.js';
import { FIND_BY_HANDLE, RECORD_USE } from './platform-keys.queries.js';
import { revokeKey, type RevokedKey } from './revoke-key.js';
import { isAccepted, SecretKeys, type IssuedSecretKey, type SecretKeySummary } from './secret-key.js';
import { platformSubject, type TokenSubject } from './token.service.js';

const KEYS = new SecretKeys('adi_platform_');

/** The purpose of a key. */
interface Purpose {
  readonly name: string;
  /** Code of the only supplier that the key may read; null for all suppliers. */
  readonly importSupplier: string | null;
}

export type PlatformKeySummary = SecretKeySummary & Purpose;
export type IssuedPlatformKey = IssuedSecretKey & Purpose;

/** The keys with which the platform reads imported data (choice E5). */
@Injectable()
export class PlatformKeysService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    @InjectRepository(PlatformKey) private readonly platformKeys: Repository<PlatformKey>,
  ) {}

  /**
   * Verify a key and record its use.
   *
   * @returns the subject of the tokens to issue; undefined for a wrong, revoked or expired key, without saying which
   * Source: choices A6, E5.
   */
  async verify(key: string): Promise<TokenSubject | undefined> {
    const handle = KEYS.handleOf(key);
    if (handle === undefined) return undefined;
    const [stored] = await this.work.query((tx) => run(tx, FIND_BY_HANDLE, { handle }));
    if (!isAccepted(key, stored, this.clock.now())) return undefined;
    await this.recordUse(stored.id);
    return platformSubject(stored.id, Math.ceil(stored.expiresAt.getTime() / 1_000));
  }

  /** Record that a key was used to obtain a token. */
  async recordUse(id: string): Promise<void> {
    await this.work.query((tx) => run(tx, RECORD_USE, { id }));
  }

  /**
   * Issue a key. Earlier keys stay valid, so that a key can be replaced without an interruption.
   *
   * @param operator the name to record
   * @returns the key itself, which cannot be shown again
   * @throws CommandError `supplier_not_found`
   * Source: choices A6, E5, O6.
   */
  async issue(
    { name, importSupplier, expiresAt }: Purpose & { readonly expiresAt: Date },
    operator: string,
  ): Promise<IssuedPlatformKey> {
    const { key, ...stored } = KEYS.make();
    const { id, createdAt } = await this.work.write(async (tx) => {
      const importSupplierId = importSupplier === null ? null : await namedSupplierId(tx, importSupplier);
      const platformKeys = tx.withRepository(this.platformKeys);
      const inserted = platformKeys.create({ ...stored, name, importSupplierId, expiresAt });
      await platformKeys.insert(inserted);
      await this.record(tx, inserted.id, operator, 'platform_key.issue', {
        expires_at: formatDateTime(expiresAt),
      });
      return inserted;
    });
    return { id, key, name, importSupplier, createdAt, expiresAt };
  }

  /** Every key, including revoked and expired ones, oldest first: ids follow the order in which keys were issued. */
  async list(): Promise<PlatformKeySummary[]> {
    const keys = await this.work.query((tx) =>
      tx
        .withRepository(this.platformKeys)
        .find({ relations: { importSupplier: true }, order: { id: 'ASC' } }),
    );
    return keys.map((key) => ({
      ...KEYS.summaryOf(key),
      name: key.name,
      importSupplier: key.importSupplier?.code ?? null,
    }));
  }

  /**
   * Revoke a key and, within 5 seconds, every token that was obtained with it. The call is idempotent.
   *
   * @param operator the name to record
   * @returns the key, with the time when it was first revoked
   * @throws CommandError `platform_key_not_found`
   * Source: choices A7, E5, O6.
   */
  async revoke(id: string, operator: string): Promise<RevokedKey> {
    const { revokedAt, name: label } = await revokeKey(
      this.work,
      'platform',
      (tx) => tx.withRepository(this.platformKeys),
      id,
      (tx, details) => this.record(tx, id, operator, 'platform_key.revoke', details),
    );
    return { id, label, revokedAt };
  }

  /** @param details details to record in addition to the key's name */
  private async record(
    tx: Tx,
    id: string,
    operator: string,
    action: 'platform_key.issue' | 'platform_key.revoke',
    details: object,
  ): Promise<void> {
    const key = await tx
      .withRepository(this.platformKeys)
      .findOne({ where: { id }, relations: { importSupplier: true } });
    const importSupplier = key?.importSupplier?.code;
    await this.audit.record(tx, {
      operator,
      action,
      subject: id,
      ...(importSupplier !== undefined && { importSupplier }),
      details: { name: key?.name, ...details },
    });
  }
}
