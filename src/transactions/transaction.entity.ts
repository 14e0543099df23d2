import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A financial transaction on an account (specification 2.4). */
@Entity('transaction')
export class Transaction {
  @PrimaryColumn({ name: 'import_supplier_id', type: 'integer' })
  importSupplierId: number;

  @PrimaryColumn({ name: 'external_account_number', type: 'text' })
  externalAccountNumber: string;

  @PrimaryColumn({ name: 'transaction_id', type: 'text' })
  transactionId: string;

  /** 0, or a random number for one that was added without looking (choice X6). */
  @PrimaryColumn({ type: 'bigint', default: 0 })
  occurrence: string;

  /** The import request that stored the transaction. */
  @Column({ name: 'import_request_id', type: 'uuid' })
  importRequestId: string;

  /** The day it is booked on, `YYYY-MM-DD`. */
  @Column({ name: 'transaction_date', type: 'date' })
  transactionDate: string;

  /** The day that was sent, when it was moved (choice X7). */
  @Column({ name: 'sent_date', type: 'date', nullable: true })
  sentDate: string | null;

  /** The note that was sent, when the transaction was moved; null when none was (choice V3). */
  @Column({ name: 'sent_note', type: 'text', nullable: true })
  sentNote: string | null;

  /** Exact decimal with two places, as text. */
  @Column({ type: 'numeric', precision: 14, scale: 2 })
  amount: string;

  @Column({ type: 'text' })
  type: string;

  @Column({ type: 'text', nullable: true })
  reason: string | null;

  @Column({ type: 'text', nullable: true })
  reference: string | null;

  @Column({ name: 'payment_type', type: 'text', nullable: true })
  paymentType: string | null;

  /** For the customer. */
  @Column({ name: 'display_note', type: 'text', nullable: true })
  displayNote: string | null;

  /** For the platform's own people. */
  @Column({ type: 'text', nullable: true })
  note: string | null;

  @Column({ name: 'product_code', type: 'text', nullable: true })
  productCode: string | null;

  /** As sent; its numbers are exact decimals. */
  @Column({ name: 'line_items', type: 'json', nullable: true })
  lineItems: object[] | null;

  /** As sent; its numbers are exact decimals. */
  @Column({ name: 'tax_items', type: 'json', nullable: true })
  taxItems: object[] | null;
}
