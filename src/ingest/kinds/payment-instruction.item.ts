import { ITEM_KINDS } from '../../infrastructure/item-names/item-names.js';
import type { ItemKind } from './item-kind.js';

/** A payment instruction (specification 2.6). Two with the same vendor and reference are the same (choice P2). */
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
  key: { vendor: 'text', reference_hash: 'bytea' },
  besides: {
    reference_hash: 'computed from the reference',
    details: 'what the vendor answered',
    verified_at: 'when the vendor answered',
  },
} as const satisfies ItemKind;
