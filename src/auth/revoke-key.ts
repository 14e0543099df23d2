import { CommandError } from '../common/command-error.js';
import { formatDateTime } from '../common/dates.js';
import { isUuid } from '../common/uuid.js';
import type { Tx, UnitOfWork } from '../database/unit-of-work.js';

/** The stored keys of one sort. */
interface RevocableKeys<Key> {
  /** @returns whether the key was valid until now, expired or not */
  readonly revoke: (tx: Tx, id: string) => Promise<boolean>;
  readonly find: (tx: Tx, id: string) => Promise<Key | null | undefined>;
}

/** A key that is revoked, as operators are told. */
export interface RevokedKey {
  readonly id: string;
  readonly label: string;
  /** When it first was. */
  readonly revokedAt: Date;
}

/**
 * Revoke a key. Revoking it again changes nothing.
 *
 * @param sort of the key, as in `api-key list`
 * @param record records the first time
 * @throws CommandError `api_key_not_found` or `platform_key_not_found`
 */
export async function revokeKey<Key extends { readonly revokedAt: Date | null }>(
  work: UnitOfWork,
  { revoke, find }: RevocableKeys<Key>,
  sort: 'api' | 'platform',
  id: string,
  record: (tx: Tx, details: object) => Promise<void>,
): Promise<Key & { readonly revokedAt: Date }> {
  const revoked = isUuid(id)
    ? await work.write(async (tx) => {
        const isNew = await revoke(tx, id);
        const key = await find(tx, id);
        if (!key?.revokedAt) return undefined;
        const to = { revoked_at: formatDateTime(key.revokedAt) };
        if (isNew) await record(tx, { from: { revoked_at: null }, to });
        return { ...key, revokedAt: key.revokedAt };
      })
    : undefined;
  if (revoked) return revoked;
  throw new CommandError(
    `${sort}_key_not_found`,
    `There is no ${sort === 'api' ? 'API' : sort} key with the id ${id}; "data-import ${sort}-key list" shows the ids.`,
  );
}
