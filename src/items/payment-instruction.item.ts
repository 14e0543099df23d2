import type { ItemKind } from './item-kind.js';

/** A payment instruction (specification 2.6). Two with the same vendor and reference are the same (choice P2). */
export const PAYMENT_INSTRUCTION = {
  request: 'payment_instruction',
  requestWords: 'a payment instruction',
  section: 'payment_instructions',
  table: 'payment_instruction',
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
