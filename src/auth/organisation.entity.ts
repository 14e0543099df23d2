import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An organisation that calls the interface. */
@Entity('organisation')
export class Organisation {
  @PrimaryColumn({ type: 'uuid', default: () => 'uuidv7()' })
  id: string;

  @Column({ type: 'text', unique: true })
  name: string;

  /** A token carries the version that was current when it was issued; raising it revokes every token (choice A4). */
  @Column({ name: 'token_version', type: 'integer', default: 1 })
  tokenVersion: number;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;
}
