import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { Organisation } from '../auth/organisation.entity.js';

/** Whether accounts may migrate (specification 3.2). */
export const SUPPLIER_STATUSES = ['ongoing', 'paused', 'complete'] as const;
export type SupplierStatus = (typeof SUPPLIER_STATUSES)[number];

/** When the existence of a document is looked up (choice F3). */
export const DOCUMENT_CHECKS = ['deferred', 'reject'] as const;
export type DocumentCheck = (typeof DOCUMENT_CHECKS)[number];

/** A supplier whose customers are imported. */
@Entity('import_supplier')
export class ImportSupplier {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id: number;

  @Column({ type: 'text', unique: true })
  code: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', default: 'ongoing' })
  status: SupplierStatus;

  /** Folder of the supplier's documents in the store, without a slash at either end (specification 2.9). */
  @Column({ name: 'document_root', type: 'text' })
  documentRoot: string;

  @Column({ name: 'document_check', type: 'text', default: 'deferred' })
  documentCheck: DocumentCheck;

  /** Whether customers get automated e-mails on migration (specification 1). */
  @Column({ name: 'customer_emails', type: 'boolean', default: false })
  customerEmails: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  /** When the supplier was hidden from lists and alerts; null while it is visible. */
  @Column({ name: 'archived_at', type: 'timestamptz', nullable: true })
  archivedAt: Date | null;

  /** The day on which its customers are taken over, `YYYY-MM-DD`; null while it is not known. */
  @Column({ name: 'cut_over', type: 'date', nullable: true })
  cutOver: string | null;

  /** The seconds without a stored row after which missing rows are a problem; null if they never are (choice C12). */
  @Column({ name: 'quiet_after', type: 'integer', nullable: true, default: 86_400 })
  quietAfter: number | null;

  @OneToMany(() => ImportSupplierGrant, (grant) => grant.importSupplier)
  grants: ImportSupplierGrant[];
}

/** An organisation's access to a supplier (choice A8). */
@Entity('import_supplier_grant')
export class ImportSupplierGrant {
  @PrimaryColumn({ name: 'import_supplier_id', type: 'integer' })
  importSupplierId: number;

  @PrimaryColumn({ name: 'organisation_id', type: 'uuid' })
  organisationId: string;

  @Column({ name: 'granted_at', type: 'timestamptz', default: () => 'now()' })
  grantedAt: Date;

  @ManyToOne(() => ImportSupplier, (supplier) => supplier.grants)
  @JoinColumn({ name: 'import_supplier_id' })
  importSupplier: ImportSupplier;

  @ManyToOne(() => Organisation)
  @JoinColumn({ name: 'organisation_id' })
  organisation: Organisation;
}
