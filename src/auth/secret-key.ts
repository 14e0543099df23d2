import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretKeyEntity } from './secret-key.entity.js';

const HANDLE_BYTES = 8;
const SECRET_BYTES = 32;

/** Compared when the handle is unknown, so that the check takes as long as for a known handle. */
const NO_HASH = Buffer.alloc(32);

/** A new key with its stored columns. Never log the key itself. */
type NewSecretKey = Pick<SecretKeyEntity, 'handle' | 'keyHash'> & { readonly key: string };

/** A newly issued key. It is shown only this once. */
export type IssuedSecretKey = Readonly<Pick<SecretKeyEntity, 'id' | 'createdAt' | 'expiresAt'>> & {
  readonly key: string;
};

/** A key as operators see it: without its secret. Its prefix is the part before the secret. */
export type SecretKeySummary = Readonly<
  Pick<SecretKeyEntity, 'id' | 'createdAt' | 'expiresAt' | 'revokedAt' | 'lastUsedAt'>
> & { readonly prefix: string };

/** The columns that verify a key. */
export type StoredSecretKey = Readonly<Pick<SecretKeyEntity, 'keyHash' | 'revokedAt' | 'expiresAt'>>;

/** One type of key: a prefix, a handle in hexadecimal digits, and a secret in base64url (choice A6). */
export class SecretKeys {
  private readonly form: RegExp;

  /** @param prefix identifies the type of key to people and to secret scanners */
  constructor(private readonly prefix: string) {
    this.form = new RegExp(`^${prefix}([0-9a-f]{${2 * HANDLE_BYTES}})_[A-Za-z0-9_-]{43}$`);
  }

  make(): NewSecretKey {
    const handle = randomBytes(HANDLE_BYTES).toString('hex');
    const key = `${this.prefix}${handle}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
    return { key, handle, keyHash: hashOf(key) };
  }

  /** @returns undefined for a text that is not a key of this type */
  handleOf(key: string): string | undefined {
    return this.form.exec(key)?.[1];
  }

  summaryOf({ id, handle, createdAt, expiresAt, revokedAt, lastUsedAt }: SecretKeyEntity): SecretKeySummary {
    return { id, prefix: this.prefix + handle, createdAt, expiresAt, revokedAt, lastUsedAt };
  }
}

/** Whether a key matches the stored one and is neither revoked nor expired. The comparison takes constant time (choice A6). */
export function isAccepted<Stored extends StoredSecretKey>(
  key: string,
  stored: Stored | undefined,
  now: Date,
): stored is Stored {
  const isSame = timingSafeEqual(hashOf(key), stored?.keyHash ?? NO_HASH);
  if (!stored || !isSame || stored.revokedAt) return false;
  return stored.expiresAt === null || stored.expiresAt > now;
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
