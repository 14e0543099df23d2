import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An account of an import supplier: staged, and once imported an account of the platform. */
@Entity('account_import')
export class AccountImport {
  @PrimaryColumn({ name: 'import_supplier_id', type: 'integer' })
  importSupplierId: number;

  @PrimaryColumn({ name: 'external_account_number', type: 'text' })
  externalAccountNumber: string;

  @Column({ type: 'text', default: 'pending' })
  status: 'pending' | 'imported' | 'failed';

  @Column({ name: 'service_account_number', type: 'text', nullable: true })
  serviceAccountNumber: string | null;

  @Column({ name: 'account_created_at', type: 'timestamptz', nullable: true })
  accountCreatedAt: Date | null;

  /** First day of the open statement period, `YYYY-MM-DD`, included (choice S6). */
  @Column({ name: 'open_statement_from', type: 'date', nullable: true })
  openStatementFrom: string | null;

  /** Last day of the open statement period, included; without one the period ends today. */
  @Column({ name: 'open_statement_to', type: 'date', nullable: true })
  openStatementTo: string | null;

  /** The staged account data, kept as it came. */
  @Column({ type: 'jsonb', nullable: true })
  account: object | null;

  @Column({ name: 'staged_at', type: 'timestamptz', default: () => 'now()' })
  stagedAt: Date;

  /** Why the last attempt to import failed; a sentence. */
  @Column({ type: 'text', nullable: true })
  failure: string | null;

  @Column({ name: 'failed_at', type: 'timestamptz', nullable: true })
  failedAt: Date | null;
}
