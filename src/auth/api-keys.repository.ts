import { Injectable } from '@nestjs/common';
import { run, query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { ApiKey } from './api-key.entity.js';
import { recordUseOf } from './key-use.queries.js';
import type { StoredSecretKey } from './secret-key.js';

/** What it takes to verify a key. */
export interface StoredKey extends StoredSecretKey {
  readonly id: string;
  readonly organisationId: string;
  /** The version of the tokens that the organisation is issued now. */
  readonly tokenVersion: number;
}

/** By hand: anybody can cause this query with a wrong key, so it is prepared and costs as little as possible. */
const FIND_BY_HANDLE = query<StoredKey>(
  'auth.api_key_find_by_handle',
  `SELECT k.id, k.organisation_id AS "organisationId", k.key_hash AS "keyHash", k.revoked_at AS "revokedAt",
          k.expires_at AS "expiresAt", o.token_version AS "tokenVersion"
     FROM api_key k
     JOIN organisation o ON o.id = k.organisation_id
    WHERE k.handle = :handle`,
);

const RECORD_USE = {
  token: recordUseOf('api_key'),
  sign_in: recordUseOf('api_key', 'last_signed_in_at'),
};

/** What a key is used for: to obtain a token, or to sign in to the console. */
export type KeyUse = keyof typeof RECORD_USE;

@Injectable()
export class ApiKeysRepository {
  async findByHandle(tx: Tx, handle: string): Promise<StoredKey | undefined> {
    const [row] = await run(tx, FIND_BY_HANDLE, { handle });
    return row;
  }

  async recordUse(tx: Tx, id: string, use: KeyUse): Promise<void> {
    await run(tx, RECORD_USE[use], { id });
  }

  /** @returns the key with the columns that the database fills in */
  async insert(
    tx: Tx,
    columns: Pick<ApiKey, 'organisationId' | 'handle' | 'keyHash' | 'label' | 'expiresAt'>,
  ): Promise<ApiKey> {
    const key = tx.create(ApiKey, columns);
    await tx.insert(ApiKey, key);
    return key;
  }

  /** All keys of an organisation, oldest first: their ids are in the order in which they were issued. */
  listOf(tx: Tx, organisationId: string): Promise<ApiKey[]> {
    return tx.find(ApiKey, { where: { organisationId }, order: { id: 'ASC' } });
  }

  /** @returns the key with its organisation */
  find(tx: Tx, id: string): Promise<ApiKey | null> {
    return tx.findOne(ApiKey, { where: { id }, relations: { organisation: true } });
  }
}
