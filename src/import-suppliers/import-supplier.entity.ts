import { Column, Entity, JoinTable, ManyToMany, PrimaryGeneratedColumn } from 'typeorm';
import { Organisation } from '../auth/organisation.entity.js';

/** Whether accounts may migrate (specification 3.2). */
export const SUPPLIER_STATUSES = ['ongoing', 'paused', 'complete'] as const;
export type SupplierStatus = (typeof SUPPLIER_STATUSES)[number];

/** When the existence of a document is looked up (contract F3). */
export const DOCUMENT_CHECKS = ['deferred', 'reject'] as const;
export type DocumentCheck = (typeof DOCUMENT_CHECKS)[number];

/** A supplier whose customers are taken over. */
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

  /** Folder of the supplier's documents inside the bucket, no slash at either end (specification 2.9). */
  @Column({ name: 'document_root', type: 'text' })
  documentRoot: string;

  @Column({ name: 'document_check', type: 'text', default: 'deferred' })
  documentCheck: DocumentCheck;

  /** Whether customers get automated e-mails on migration (specification 1). */
  @Column({ name: 'customer_emails', type: 'boolean', default: false })
  customerEmails: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt: Date;

  /** Organisations that may see the supplier (contract A8). */
  @ManyToMany(() => Organisation)
  @JoinTable({
    name: 'import_supplier_grant',
    joinColumn: { name: 'import_supplier_id' },
    inverseJoinColumn: { name: 'organisation_id' },
  })
  organisations: Organisation[];
}
