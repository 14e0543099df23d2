import { ITEM_KINDS } from '../../infrastructure/item-names/item-names.js';
import type { ItemKind } from './item-kind.js';

/** A payment instruction (specification 2.6; choice P2). */
export const PAYMENT_INSTRUCTION = {
  ...ITEM_KINDS.payment_instructions,
  requestWords: 'a payment instruction',
  section: 'payment_instructions',
  label: 'Payment instructions',
  fields: {
    vendor: { type: 'text' },
    reference: { type: 'text' },
    type: { type: 'text' },
  },
  same: ['vendor', 'reference'],
  key: ['vendor', 'reference_hash'],
  hash: { column: 'reference_hash', function: 'payment_reference_hash' },
  alteredFields: [],
  feedFields: {},
  excludedColumns: {
    // Stands in the key for the reference, which may be too long for an index.
    reference_hash: { type: 'bytea' },
    // The vendor's answer; never contains a card or account number (docs/payment-vendors.md).
    details: { type: 'jsonb' },
    // When the vendor confirmed the reference.
    verified_at: { type: 'timestamptz' },
  },
} as const satisfies ItemKind;
