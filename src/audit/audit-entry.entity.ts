import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The record of one operator change. */
@Entity('audit_entry')
export class AuditEntry {
  @PrimaryColumn({ type: 'uuid', default: () => 'uuidv7()' })
  id: string;

  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()' })
  at: Date;

  @Column({ type: 'text' })
  operator: string;

  @Column({ type: 'text' })
  action: string;

  @Column({ type: 'text' })
  subject: string;

  /** The code of the supplier that was changed, if it was one or belongs to one. */
  @Column({ name: 'import_supplier', type: 'text', nullable: true })
  importSupplier: string | null;

  /** The account that was changed, if it was one. */
  @Column({ name: 'external_account_number', type: 'text', nullable: true })
  externalAccountNumber: string | null;

  @Column({ type: 'jsonb', default: {} })
  details: object;
}
