import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Whoever calls the interface: a migrating supplier's organisation. */
@Entity('organisation')
export class Organisation {
  @PrimaryColumn({ type: 'uuid', default: () => 'uuidv7()' })
  id: string;

  @Column({ type: 'text', unique: true })
  name: string;

  /** Tokens carry the generation they were issued in; raising it ends them all (contract A4). */
  @Column({ name: 'token_version', type: 'integer', default: 1 })
  tokenVersion: number;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
