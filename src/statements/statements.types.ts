import type { DocumentRequest, DocumentRow } from '../imports/document-check.js';

/** A historical statement to be attached; days are `YYYY-MM-DD`. */
export interface NewStatement {
  /** Once in a payload. */
  readonly statementId: string;
  readonly billPeriodFromDate: string;
  /** Not before the first day. */
  readonly billPeriodToDate: string;
  readonly issuedDate: string | undefined;
  readonly number: string | undefined;
  /** At most 15 significant digits and ten decimals. */
  readonly grossAmount: number | undefined;
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
