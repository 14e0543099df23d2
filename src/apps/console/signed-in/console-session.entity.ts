import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ApiKey } from '../../../auth/api-key.entity.js';

/** A sign-in to the console, of an operator or with an API key. */
@Entity('console_session')
export class ConsoleSession {
  @PrimaryColumn({ type: 'uuid', default: () => 'uuidv7()' })
  id: string;

  /** Hash of the secret in the cookie; the secret itself is not stored. */
  @Column({ name: 'secret_hash', type: 'bytea', select: false })
  secretHash: Buffer;

  /** Null for a sign-in with an API key. */
  @Column({ type: 'text', nullable: true })
  operator: string | null;

  @ManyToOne(() => ApiKey)
  @JoinColumn({ name: 'api_key_id' })
  apiKey: ApiKey | null;

  @Column({ name: 'api_key_id', type: 'uuid', nullable: true })
  apiKeyId: string | null;

  /** That of the organisation at the sign-in. */
  @Column({ name: 'token_version', type: 'integer', nullable: true })
  tokenVersion: number | null;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', default: () => "now() + interval '12 hours'" })
  expiresAt: Date;

  /** To the minute. */
  @Column({ name: 'last_seen_at', type: 'timestamptz', default: () => 'now()' })
  lastSeenAt: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;
}
