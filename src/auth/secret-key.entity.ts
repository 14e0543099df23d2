import { Column, PrimaryColumn } from 'typeorm';

/** What is stored of a key; the key itself never is (choice A6). */
export abstract class SecretKeyEntity {
  @PrimaryColumn({ type: 'uuid', default: () => 'uuidv7()' })
  id: string;

  /** The part of the key by which it is looked up and which operators are shown. */
  @Column({ type: 'text', unique: true })
  handle: string;

  /** SHA-256 of the whole key. */
  @Column({ name: 'key_hash', type: 'bytea' })
  keyHash: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  /** Not every sort must have one. */
  abstract expiresAt: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;

  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;
}
