import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { Organisation } from './organisation.entity.js';
import { SecretKeyEntity } from './secret-key.entity.js';

/** An organisation's API key. */
@Entity('api_key')
export class ApiKey extends SecretKeyEntity {
  @ManyToOne(() => Organisation, { nullable: false })
  @JoinColumn({ name: 'organisation_id' })
  organisation: Organisation;

  @Column({ name: 'organisation_id', type: 'uuid' })
  organisationId: string;

  @Column({ type: 'text' })
  label: string;

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt: Date | null;

  @Column({ name: 'last_signed_in_at', type: 'timestamptz', nullable: true })
  lastSignedInAt: Date | null;
}
