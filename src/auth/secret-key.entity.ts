import { Column, PrimaryColumn } from 'typeorm';

/** The stored columns of a key. The key itself is never stored (choice A6). */
export abstract class SecretKeyEntity {
  @PrimaryColumn({ type: 'uuid', default: () => 'uuidv7()' })
  id: string;

  /** The part of the key that is used for the look-up and shown to operators. */
  @Column({ type: 'text', unique: true })
  handle: string;

  /** SHA-256 of the whole key. */
  @Column({ name: 'key_hash', type: 'bytea' })
  keyHash: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  /** Optional for some types of key. */
  abstract expiresAt: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;

  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;
}
