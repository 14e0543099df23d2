import { Columns, itemColumns } from '../ingest/item-columns.js';
import { STATEMENT } from '../ingest/kinds/statement.item.js';
import type { NewStatement } from './statements.types.js';

/** What a statement brings to the database. */
export const STATEMENT_COLUMNS = new Columns<NewStatement>('item', itemColumns(STATEMENT));
