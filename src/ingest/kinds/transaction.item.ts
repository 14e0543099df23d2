import { ITEM_KINDS } from '../../infrastructure/item-names/item-names.js';
import type { ItemKind } from './item-kind.js';

/** A transaction (specification 2.4). Transactions that are added without a comparison never count as the same (choice X6). */
export const TRANSACTION = {
  ...ITEM_KINDS.transactions,
  requestWords: 'transactions',
  section: 'transactions',
  label: 'Transactions',
  fields: {
    transaction_id: { type: 'text' },
    transaction_date: { type: 'date' },
    amount: { type: 'numeric' },
    type: { type: 'text' },
    reason: { type: 'text', nullable: true },
    reference: { type: 'text', nullable: true },
    payment_type: { type: 'text', nullable: true },
    display_note: { type: 'text', nullable: true, label: 'Shown to the customer' },
    note: { type: 'text', nullable: true },
    product_code: { type: 'text', nullable: true, label: 'Product' },
    line_items: {
      type: 'json',
      nullable: true,
      members: [
        'rate_band',
        'start_date',
        'end_date',
        'number_of_units',
        'net_amount',
        'price_per_unit',
        'units',
      ],
    },
    tax_items: {
      type: 'json',
      nullable: true,
      members: ['amount', 'tax_type', 'value_taxed', 'rate', 'unit_type'],
    },
  },
  same: ['transaction_id'],
  key: ['transaction_id', 'occurrence'],
  alteredFields: ['transaction_date', 'note'],
  feedFields: {},
  excludedColumns: {
    // 0, or a random number for a transaction that was added without a comparison (choice X6).
    occurrence: { type: 'bigint' },
    // For a moved transaction, the date that was sent (choice X7).
    sent_date: { type: 'date', nullable: true },
    // For a moved transaction, the note that was sent (choice X7).
    sent_note: { type: 'text', nullable: true },
  },
} as const satisfies ItemKind;
