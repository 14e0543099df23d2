import type { DocumentLoad, DoorAnswer } from '../imports/account-access.js';
import type { DocumentDemand } from '../imports/document-check.js';

/** A historical statement to be attached; days are `YYYY-MM-DD`. */
export interface NewStatement {
  /** No two drafts of a load have the same. */
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
export interface StatementsLoad extends DocumentLoad {
  /** No two with the same id. */
  readonly drafts: readonly NewStatement[];
}

export interface AttachAnswer extends DoorAnswer, DocumentDemand {
  /** Positions, from 0, of those that are on the account with other content; null when there are none. */
  readonly changed: readonly number[] | null;
  /** Positions of those that are on the account with the same content, while the documents must be looked up. */
  readonly unchanged: readonly number[] | null;
}
