import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A payment instruction of an account, confirmed by the vendor that keeps it (specification 2.6). */
@Entity('payment_instruction')
export class PaymentInstruction {
  @PrimaryColumn({ name: 'import_supplier_id', type: 'integer' })
  importSupplierId: number;

  @PrimaryColumn({ name: 'external_account_number', type: 'text' })
  externalAccountNumber: string;

  @PrimaryColumn({ type: 'text' })
  vendor: string;

  /** SHA-256 of the reference, computed by the database: a reference may be too long for an index. */
  @PrimaryColumn({
    name: 'reference_hash',
    type: 'bytea',
    generatedType: 'STORED',
    asExpression: 'payment_reference_hash(reference)',
  })
  referenceHash: Buffer;

  /** The import request that stored the instruction. */
  @Column({ name: 'import_request_id', type: 'uuid' })
  importRequestId: string;

  /** The vendor's name for the instruction. */
  @Column({ type: 'text' })
  reference: string;

  @Column({ type: 'text' })
  type: string;

  /** What the vendor answered about it, never a card or account number (docs/payment-vendors.md). */
  @Column({ type: 'jsonb' })
  details: Readonly<Record<string, string | number>>;

  /** When the vendor confirmed it. */
  @Column({ name: 'verified_at', type: 'timestamptz' })
  verifiedAt: Date;
}
