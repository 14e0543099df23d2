import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The fields whose allowed values an operator may extend (choice X3). */
export const CATALOGUE_FIELDS = ['reason', 'payment_type', 'vendor', 'instruction_type'] as const;
export type CatalogueField = (typeof CATALOGUE_FIELDS)[number];

/** An allowed value of a field. */
@Entity('catalogue_value')
export class CatalogueValue {
  @PrimaryColumn({ type: 'text' })
  field: CatalogueField;

  @PrimaryColumn({ type: 'text' })
  value: string;

  @Column({ name: 'added_at', type: 'timestamptz', default: () => 'now()' })
  addedAt: Date;
}
