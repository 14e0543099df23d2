import { Injectable } from '@nestjs/common';
import { run, runForOne, query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { ApiKey } from './api-key.entity.js';

/** What it takes to recognise a key. */
export interface StoredKey {
  readonly id: string;
  readonly organisationId: string;
  /** SHA-256 of the whole key. */
  readonly hash: Buffer;
  readonly isRevoked: boolean;
  readonly expiresAt: Date | null;
  /** Generation that the organisation's tokens are issued in now. */
  readonly generation: number;
}

const FIND = query<{
  id: string;
  organisation_id: string;
  key_hash: Buffer;
  is_revoked: boolean;
  expires_at: Date | null;
  token_version: number;
}>(
  'auth.api_key_find',
  `SELECT k.id, k.organisation_id, k.key_hash, k.revoked_at IS NOT NULL AS is_revoked, k.expires_at, o.token_version
     FROM api_key k
     JOIN organisation o ON o.id = k.organisation_id
    WHERE k.handle = $1`,
);

/** Written at most once a minute, so that a busy key does not leave a dead row behind for every token. */
const RECORD_USE = query<unknown>(
  'auth.api_key_record_use',
  `UPDATE api_key
      SET last_used_at = now()
    WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
);

const INSERT = query<{ id: string; created_at: Date }>(
  'auth.api_key_insert',
  `INSERT INTO api_key (organisation_id, handle, key_hash, label, expires_at)
   VALUES ($1, $2, $3, $4, $5)
   RETURNING id, created_at`,
);

const REVOKE = query<{ revoked_at: Date }>(
  'auth.api_key_revoke',
  `WITH revoked AS (
    UPDATE api_key SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 RETURNING revoked_at
  )
  SELECT revoked_at FROM revoked`,
);

@Injectable()
export class ApiKeysRepository {
  async findByHandle(tx: Tx, handle: string): Promise<StoredKey | undefined> {
    const [row] = await run(tx, FIND, [handle]);
    return (
      row && {
        id: row.id,
        organisationId: row.organisation_id,
        hash: row.key_hash,
        isRevoked: row.is_revoked,
        expiresAt: row.expires_at,
        generation: row.token_version,
      }
    );
  }

  async recordUse(tx: Tx, id: string): Promise<void> {
    await run(tx, RECORD_USE, [id]);
  }

  async insert(
    tx: Tx,
    key: Pick<ApiKey, 'organisationId' | 'handle' | 'keyHash' | 'label' | 'expiresAt'>,
  ): Promise<{ id: string; createdAt: Date }> {
    const { organisationId, handle, keyHash, label, expiresAt } = key;
    const row = await runForOne(tx, INSERT, [organisationId, handle, keyHash, label, expiresAt]);
    return { id: row.id, createdAt: row.created_at };
  }

  /** All keys of an organisation, oldest first; ids are in the order of issuing. */
  listOf(tx: Tx, organisationId: string): Promise<ApiKey[]> {
    return tx.find(ApiKey, { where: { organisationId }, order: { id: 'ASC' } });
  }

  /** @returns when the key was revoked, now or before; nothing when there is no such key */
  async revoke(tx: Tx, id: string): Promise<Date | undefined> {
    const [row] = await run(tx, REVOKE, [id]);
    return row?.revoked_at;
  }
}
