import { IsNull, type FindOptionsWhere, type Repository } from 'typeorm';
import { CommandError } from '../infrastructure/errors/command-error.js';
import { formatDateTime } from '../infrastructure/clock/dates.js';
import { isUuid } from '../infrastructure/text/uuid.js';
import type { Tx, UnitOfWork } from '../infrastructure/database/unit-of-work.js';
import type { SecretKeyEntity } from './secret-key.entity.js';

/** A revoked key as operators see it. */
export interface RevokedKey {
  readonly id: string;
  readonly label: string;
  /** When it was first revoked. */
  readonly revokedAt: Date;
}

/**
 * Revoke a key. The call is idempotent.
 *
 * @param keyType the type of key, as in `api-key list`
 * @param record called only when the key was not revoked before
 * @throws CommandError `api_key_not_found` or `platform_key_not_found`
 */
export async function revokeKey<Key extends SecretKeyEntity>(
  work: UnitOfWork,
  keyType: 'api' | 'platform',
  keysIn: (tx: Tx) => Repository<Key>,
  id: string,
  record: (tx: Tx, details: object) => Promise<void>,
): Promise<Key & { readonly revokedAt: Date }> {
  const revoked = isUuid(id)
    ? await work.write(async (tx) => {
        const keys = keysIn(tx);
        const notRevoked = { id, revokedAt: IsNull() };
        const { affected } = await (keys as Repository<SecretKeyEntity>).update(notRevoked, {
          revokedAt: () => 'now()',
        });
        const key = await keys.findOneBy({ id } as FindOptionsWhere<Key>);
        if (!key?.revokedAt) return undefined;
        const to = { revoked_at: formatDateTime(key.revokedAt) };
        if (affected === 1) await record(tx, { from: { revoked_at: null }, to });
        return Object.assign(key, { revokedAt: key.revokedAt });
      })
    : undefined;
  if (revoked) return revoked;
  throw new CommandError(
    `${keyType}_key_not_found`,
    `There is no ${keyType === 'api' ? 'API' : keyType} key with the id ${id}; "data-import ${keyType}-key list" shows the ids.`,
  );
}
