import type { WithSent } from '../ingest/item-columns.js';
import type { STATEMENT } from '../ingest/kinds/statement.item.js';
import type { DocumentRequest, DocumentRow } from '../ingest/document-check.js';

/** A historical statement to be attached. */
export interface NewStatement extends WithSent<typeof STATEMENT> {
  /** Relative to the supplier's document root. */
  readonly statementPath: string | undefined;
}

/** Statements to be attached to one account. */
export type StatementsRequest = DocumentRequest<NewStatement>;

/** What the query answers of a request. */
export interface StatementsRow extends DocumentRow {
  /** Rows that were stored. */
  readonly stored: number;
  /** Positions, from 0, of those that are on the account with other content; null for none. */
  readonly changed: readonly number[] | null;
  /** Positions of those that are on the account with the same content, while the documents must be looked up. */
  readonly unchanged: readonly number[] | null;
}
