import { Columns } from '../imports/item-columns.js';
import type { NewTransaction } from './transactions.types.js';

/** What a transaction brings to the database. */
export const TRANSACTION_COLUMNS = new Columns<NewTransaction>('item', {
  transaction_id: { type: 'text', read: ({ id }) => id },
  transaction_date: { type: 'date', read: ({ date }) => date },
  amount: { type: 'numeric', read: ({ amount }) => amount },
  type: { type: 'text', read: ({ type }) => type },
  reason: { type: 'text', read: ({ reason }) => reason },
  reference: { type: 'text', read: ({ reference }) => reference },
  payment_type: { type: 'text', read: ({ paymentType }) => paymentType },
  display_note: { type: 'text', read: ({ displayNote }) => displayNote },
  note: { type: 'text', read: ({ note }) => note },
  product_code: { type: 'text', read: ({ productCode }) => productCode },
  line_items: { type: 'jsonb', read: ({ lineItems }) => lineItems && JSON.stringify(lineItems) },
  tax_items: { type: 'jsonb', read: ({ taxItems }) => taxItems && JSON.stringify(taxItems) },
});
