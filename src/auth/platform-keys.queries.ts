import { run, query } from '../infrastructure/database/query.js';
import type { Tx } from '../infrastructure/database/unit-of-work.js';
import { recordUseOf } from './key-use.queries.js';
import type { PlatformKey } from './platform-key.entity.js';
import type { StoredSecretKey } from './secret-key.js';

/** The columns that verify a key. */
interface StoredPlatformKey extends StoredSecretKey {
  readonly id: string;
  readonly expiresAt: Date;
}

/** A key with the code of its only supplier. */
type ListedPlatformKey = PlatformKey & { readonly importSupplier: string | null };

/** By hand, as that of API keys. */
export const FIND_BY_HANDLE = query<StoredPlatformKey>(
  'auth.platform_key_find_by_handle',
  `SELECT k.id, k.key_hash AS "keyHash", k.revoked_at AS "revokedAt", k.expires_at AS "expiresAt"
     FROM platform_key k
    WHERE k.handle = :handle`,
);

export const RECORD_USE = recordUseOf('platform_key');

/** By a query of its own, because the module of the suppliers is above this one. */
const SUPPLIER_CODES = query<{ id: number; code: string }>(
  'auth.supplier_codes',
  `SELECT s.id, s.code FROM import_supplier s WHERE s.id = ANY (:ids::integer[])`,
);

/** Keys with the codes of their only suppliers. */
export async function withSuppliers(tx: Tx, keys: readonly PlatformKey[]): Promise<ListedPlatformKey[]> {
  const ids = keys.flatMap(({ importSupplierId }) => importSupplierId ?? []);
  const suppliers = ids.length > 0 ? await run(tx, SUPPLIER_CODES, { ids }) : [];
  const codes = new Map(suppliers.map(({ id, code }) => [id, code]));
  return keys.map((key) =>
    Object.assign(key, { importSupplier: codes.get(key.importSupplierId ?? 0) ?? null }),
  );
}
