import { Column, Entity, JoinColumn, ManyToOne } from 'typeorm';
import { SecretKeyEntity } from './secret-key.entity.js';

/** A key of the platform, which reads imported data (choice E5). */
@Entity('platform_key')
export class PlatformKey extends SecretKeyEntity {
  @Column({ type: 'text' })
  name: string;

  /** The only supplier that the key may read; null for all. The entity is given by name, because import-suppliers imports this folder. */
  @ManyToOne('ImportSupplier')
  @JoinColumn({ name: 'import_supplier_id' })
  importSupplier: { readonly code: string } | null;

  @Column({ name: 'import_supplier_id', type: 'integer', nullable: true })
  importSupplierId: number | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;
}
