import { Columns } from '../imports/item-columns.js';
import type { NewStatement } from './statements.types.js';

/** What a historical statement brings to the database. */
export const STATEMENT_COLUMNS = new Columns<NewStatement>('item', {
  statement_id: { type: 'text', read: ({ statementId }) => statementId },
  bill_period_from_date: { type: 'date', read: ({ billPeriodFromDate }) => billPeriodFromDate },
  bill_period_to_date: { type: 'date', read: ({ billPeriodToDate }) => billPeriodToDate },
  issued_date: { type: 'date', read: ({ issuedDate }) => issuedDate },
  number: { type: 'text', read: ({ number }) => number },
  gross_amount: { type: 'numeric', read: ({ grossAmount }) => grossAmount },
  statement_path: { type: 'text', read: ({ statementPath }) => statementPath },
});
