import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretKeyEntity } from './secret-key.entity.js';

const HANDLE_BYTES = 8;
const SECRET_BYTES = 32;

/** Compared with when the handle is unknown, so that it takes as long as a known one. */
const NO_HASH = Buffer.alloc(32);

/** A new key with what is stored of it. */
export interface NewSecretKey {
  /** The key itself; never log it. */
  readonly key: string;
  /** The part of the key by which it is looked up. */
  readonly handle: string;
  /** SHA-256 of the whole key. */
  readonly keyHash: Buffer;
}

/** A new key as it is issued; this is the only time that it is shown. */
export interface IssuedSecretKey {
  readonly id: string;
  /** The key itself; never log it. */
  readonly key: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** A key as operators see it, without its secret. */
export interface SecretKeySummary {
  readonly id: string;
  /** The part of the key before its secret. */
  readonly prefix: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** When a token was last obtained with it, to the minute. */
  readonly lastUsedAt: Date | null;
}

/** What it takes to verify a key. */
export interface StoredSecretKey {
  readonly keyHash: Buffer;
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
}

/** Keys of one sort: a prefix, a handle in hexadecimal digits, and a secret in base64url (choice A6). */
export class SecretKeys {
  private readonly form: RegExp;

  /** @param prefix identifies the sort to people and to secret scanners */
  constructor(private readonly prefix: string) {
    this.form = new RegExp(`^${prefix}([0-9a-f]{${2 * HANDLE_BYTES}})_[A-Za-z0-9_-]{43}$`);
  }

  make(): NewSecretKey {
    const handle = randomBytes(HANDLE_BYTES).toString('hex');
    const key = `${this.prefix}${handle}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
    return { key, handle, keyHash: hashOf(key) };
  }

  /** @returns nothing for a text that is no key of this sort */
  handleOf(key: string): string | undefined {
    return this.form.exec(key)?.[1];
  }

  summaryOf({ id, handle, createdAt, expiresAt, revokedAt, lastUsedAt }: SecretKeyEntity): SecretKeySummary {
    return { id, prefix: this.prefix + handle, createdAt, expiresAt, revokedAt, lastUsedAt };
  }
}

/** Whether a key is the stored one, and is neither revoked nor expired; compared in constant time (choice A6). */
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
