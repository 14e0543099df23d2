import type { WithSent } from '../ingest/item-columns.js';
import type { STATEMENT } from '../ingest/kinds/statement.item.js';
import type { DocumentRequest, DocumentRow } from '../ingest/document-check.js';

/** A historical statement to attach. */
export interface NewStatement extends WithSent<typeof STATEMENT> {
  /** Relative to the supplier's document root. */
  readonly statementPath: string | undefined;
}

/** Statements to attach to one account. */
export type StatementsRequest = DocumentRequest<NewStatement>;

/** The query's row for a request. */
export interface StatementsRow extends DocumentRow {
  /** Number of stored rows. */
  readonly stored: number;
  /** Positions, from 0, of statements that the account has with different content; null for none. */
  readonly changed: readonly number[] | null;
  /** Positions of statements that the account has with the same content; only set while documents must be looked up. */
  readonly unchanged: readonly number[] | null;
}
