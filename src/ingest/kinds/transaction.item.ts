import { ITEM_KINDS } from '../../infrastructure/item-names/item-names.js';
import type { ItemKind } from './item-kind.js';

/** A transaction (specification 2.4). Two with the same id are the same, unless they are added without looking (choice X6). */
export const TRANSACTION = {
  ...ITEM_KINDS.transactions,
  requestWords: 'transactions',
  section: 'transactions',
  label: 'Transactions',
  fields: {
    transaction_id: { type: 'text' },
    transaction_date: { type: 'date', sent: 'coalesce(item.sent_date, item.transaction_date)' },
    amount: { type: 'numeric' },
    type: { type: 'text' },
    reason: { type: 'text' },
    reference: { type: 'text' },
    payment_type: { type: 'text' },
    display_note: { type: 'text', label: 'Shown to the customer' },
    note: { type: 'text', sent: 'CASE WHEN item.sent_date IS NULL THEN item.note ELSE item.sent_note END' },
    product_code: { type: 'text', label: 'Product' },
    line_items: {
      type: 'json',
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
    tax_items: { type: 'json', members: ['amount', 'tax_type', 'value_taxed', 'rate', 'unit_type'] },
  },
  key: { transaction_id: 'text', occurrence: 'bigint' },
  differs: { when: 'item.sent_date IS NOT NULL', fields: ['transaction_date', 'note'] },
  besides: {
    occurrence: 'tells apart those that were added without looking',
    sent_date: 'the day that was sent, of one that was moved',
    sent_note: 'the note that was sent, of one that was moved',
  },
} as const satisfies ItemKind;
