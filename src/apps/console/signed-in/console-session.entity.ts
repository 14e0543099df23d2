import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ApiKey } from '../../../auth/api-key.entity.js';
import { Organisation } from '../../../auth/organisation.entity.js';
import type { PersonRole } from '../../../infrastructure/config/person-roles.js';

/** A sign-in to the console: of an operator by a link, with an API key, or of a person at the provider. */
@Entity('console_session')
export class ConsoleSession {
  @PrimaryColumn({ type: 'uuid', default: () => 'uuidv7()' })
  id: string;

  /** Hash of the secret in the cookie; the secret itself is not stored. */
  @Column({ name: 'secret_hash', type: 'bytea', select: false })
  secretHash: Buffer;

  /** Name of the operator; null unless the user signed in with a link. */
  @Column({ type: 'text', nullable: true })
  operator: string | null;

  /** The provider; null unless a person signed in. */
  @Column({ type: 'text', nullable: true })
  issuer: string | null;

  /** The provider's id of the person. */
  @Column({ type: 'text', nullable: true })
  subject: string | null;

  /** Name of the person. */
  @Column({ type: 'text', nullable: true })
  person: string | null;

  @Column({ name: 'state_hash', type: 'bytea', nullable: true, select: false })
  stateHash: Buffer | null;

  @Column({ type: 'text' })
  role: PersonRole;

  /** Null unless the role is `supplier`. */
  @ManyToOne(() => Organisation)
  @JoinColumn({ name: 'organisation_id' })
  organisation: Organisation | null;

  @Column({ name: 'organisation_id', type: 'uuid', nullable: true })
  organisationId: string | null;

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

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  /** To the minute. */
  @Column({ name: 'last_seen_at', type: 'timestamptz', default: () => 'now()' })
  lastSeenAt: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;
}
