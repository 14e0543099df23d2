import { Columns, itemColumns } from '../imports/item-columns.js';
import { TRANSACTION } from '../items/transaction.item.js';
import type { NewTransaction } from './transactions.types.js';

/** What a transaction brings to the database. */
export const TRANSACTION_COLUMNS = new Columns<NewTransaction>('item', itemColumns(TRANSACTION));
