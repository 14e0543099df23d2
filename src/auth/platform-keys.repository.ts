import { Injectable } from '@nestjs/common';
import { run, query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { recordUseOf } from './key-use.queries.js';
import { PlatformKey } from './platform-key.entity.js';
import type { StoredSecretKey } from './secret-key.js';

/** What it takes to verify a key. */
export interface StoredPlatformKey extends StoredSecretKey {
  readonly id: string;
  readonly expiresAt: Date;
}

/** A key with the code of its only supplier. */
export type ListedPlatformKey = PlatformKey & { readonly importSupplier: string | null };

/** By hand, as that of API keys. */
const FIND_BY_HANDLE = query<StoredPlatformKey>(
  'auth.platform_key_find_by_handle',
  `SELECT k.id, k.key_hash AS "keyHash", k.revoked_at AS "revokedAt", k.expires_at AS "expiresAt"
     FROM platform_key k
    WHERE k.handle = :handle`,
);

const RECORD_USE = recordUseOf('platform_key');

/** By a query of its own, because the module of the suppliers is above this one. */
const SUPPLIER_CODES = query<{ id: number; code: string }>(
  'auth.supplier_codes',
  `SELECT s.id, s.code FROM import_supplier s WHERE s.id = ANY (:ids::integer[])`,
);

@Injectable()
export class PlatformKeysRepository {
  async findByHandle(tx: Tx, handle: string): Promise<StoredPlatformKey | undefined> {
    return (await run(tx, FIND_BY_HANDLE, { handle }))[0];
  }

  async recordUse(tx: Tx, id: string): Promise<void> {
    await run(tx, RECORD_USE, { id });
  }

  /** @returns the key with the columns that the database fills in */
  async insert(
    tx: Tx,
    columns: Pick<PlatformKey, 'handle' | 'keyHash' | 'name' | 'importSupplierId' | 'expiresAt'>,
  ): Promise<PlatformKey> {
    const key = tx.create(PlatformKey, columns);
    await tx.insert(PlatformKey, key);
    return key;
  }

  /** All keys, oldest first: their ids are in the order in which they were issued. */
  async list(tx: Tx): Promise<ListedPlatformKey[]> {
    return this.withSuppliers(tx, await tx.find(PlatformKey, { order: { id: 'ASC' } }));
  }

  async find(tx: Tx, id: string): Promise<ListedPlatformKey | undefined> {
    return (await this.withSuppliers(tx, await tx.findBy(PlatformKey, { id })))[0];
  }

  private async withSuppliers(tx: Tx, keys: readonly PlatformKey[]): Promise<ListedPlatformKey[]> {
    const ids = keys.flatMap(({ importSupplierId }) => importSupplierId ?? []);
    const suppliers = ids.length > 0 ? await run(tx, SUPPLIER_CODES, { ids }) : [];
    const codes = new Map(suppliers.map(({ id, code }) => [id, code]));
    return keys.map((key) =>
      Object.assign(key, { importSupplier: codes.get(key.importSupplierId ?? 0) ?? null }),
    );
  }
}
