import { Columns, itemColumns } from '../ingest/item-columns.js';
import { TRANSACTION } from '../ingest/kinds/transaction.item.js';
import type { MovedTransaction, NewTransaction } from './transactions.types.js';

const OF_TRANSACTION = itemColumns(TRANSACTION);

/** What a transaction brings to the database. */
export const TRANSACTION_COLUMNS = new Columns<NewTransaction>('item', OF_TRANSACTION);

/** The same of one whose date may have been moved: then what was sent is kept beside it. */
export const MOVED_COLUMNS = new Columns<MovedTransaction>('item', {
  ...OF_TRANSACTION,
  transaction_date: { type: 'date', read: ({ date, moved }) => moved?.to ?? date },
  note: { type: 'text', read: ({ sent, moved }) => moved?.note ?? (sent.note as string | undefined) },
  sent_date: { type: 'date', read: ({ date, moved }) => moved && date },
  sent_note: { type: 'text', read: ({ sent, moved }) => moved && (sent.note as string | undefined) },
});
