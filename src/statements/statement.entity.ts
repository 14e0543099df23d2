import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A statement that the import supplier once sent to the customer (specification 2.5). */
@Entity('statement')
export class HistoricalStatement {
  @PrimaryColumn({ name: 'import_supplier_id', type: 'integer' })
  importSupplierId: number;

  @PrimaryColumn({ name: 'external_account_number', type: 'text' })
  externalAccountNumber: string;

  @PrimaryColumn({ name: 'statement_id', type: 'text' })
  statementId: string;

  /** First day of the billed period, `YYYY-MM-DD`. */
  @Column({ name: 'bill_period_from_date', type: 'date' })
  billPeriodFromDate: string;

  /** Last day of the billed period, not before the first. */
  @Column({ name: 'bill_period_to_date', type: 'date' })
  billPeriodToDate: string;

  @Column({ name: 'issued_date', type: 'date', nullable: true })
  issuedDate: string | null;

  @Column({ type: 'text', nullable: true })
  number: string | null;

  /** A decimal number as text, with up to ten decimals. */
  @Column({ name: 'gross_amount', type: 'numeric', nullable: true })
  grossAmount: string | null;

  /** Of the PDF, relative to the supplier's document root. */
  @Column({ name: 'statement_path', type: 'text', nullable: true })
  statementPath: string | null;

  /** Bucket, document root and path at the time of storing (choice F1). */
  @Column({ name: 'document_location', type: 'text', nullable: true })
  documentLocation: string | null;

  /** When the PDF was seen in the store; null while it was not (choice F3). */
  @Column({ name: 'document_seen_at', type: 'timestamptz', nullable: true })
  documentSeenAt: Date | null;

  /** The import request that stored the statement. */
  @Column({ name: 'import_request_id', type: 'uuid' })
  importRequestId: string;
}
