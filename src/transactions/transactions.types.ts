import type { AccountAccess } from '../ingest/account-access.js';
import type { ImportRequest } from '../ingest/import-request.js';
import type { WithSent } from '../ingest/item-columns.js';
import type { TRANSACTION } from '../ingest/kinds/transaction.item.js';

/** A transaction to book on an account. */
export interface NewTransaction extends WithSent<typeof TRANSACTION> {
  readonly id: string;
  /** Calendar day, `YYYY-MM-DD`. */
  readonly date: string;
  /** At most 12 digits before the decimal point and two after it, so that a double identifies it exactly. */
  readonly amount: number;
}

/** How transactions are booked (the query parameters of specification 4.2). */
export interface BookingRules {
  /** Skip transactions that the account already has; otherwise add all without a comparison. */
  readonly checkPreviouslyAdded: boolean;
  /** Move transactions outside the open statement period into it; otherwise refuse the whole request. */
  readonly moveIntoPeriod: boolean;
}

/** The open statement period of an account: first and last day as `YYYY-MM-DD`, both included. */
export interface OpenPeriod {
  readonly first_day: string;
  readonly last_day: string;
}

/** The day to which a transaction is moved, and its internal note, which explains the move. */
export interface Move {
  /** Calendar day, `YYYY-MM-DD`. */
  readonly to: string;
  readonly note: string;
}

/** The outcome for a transaction of the payload. */
export interface TransactionOutcome {
  /** False when the account already had it. */
  readonly isNew: boolean;
  /** The move, if the transaction was moved. */
  readonly moved?: Move | undefined;
}

/** Transactions to book on one account, each id once. */
export interface TransactionsRequest<
  Item extends NewTransaction = NewTransaction,
> extends ImportRequest<Item> {
  readonly checkPreviouslyAdded: boolean;
  /** Today's calendar day in the platform's time zone. */
  readonly today: string;
}

/** The columns that both queries return for a request. */
export interface StoredRow extends AccountAccess {
  /** Number of stored rows; null for none. */
  readonly stored: number | null;
  /** Ids of the stored transactions if some but not all were stored; otherwise null. */
  readonly stored_ids: readonly string[] | null;
}

/** Positions in the payload, from 0, of transactions outside the open statement period: new ones, and ones the account already has. */
export interface OutsidePeriod extends OpenPeriod {
  readonly import_request_id: string;
  readonly new: readonly number[];
  readonly known: readonly number[];
}

export interface TransactionsRow extends StoredRow {
  /** Null when no transaction lies outside; otherwise nothing was stored. */
  readonly outside: OutsidePeriod | null;
}

/** A transaction whose date is in the open statement period, or was moved there. */
export interface MovedTransaction extends NewTransaction {
  readonly moved: Move | undefined;
}

/** A request whose dates were moved into the period that the first query found. */
export interface MovedTransactionsRequest extends TransactionsRequest<MovedTransaction> {
  readonly period: OpenPeriod;
  readonly importRequestId: string;
  /** The number of moved {@link items}. The note lists exactly these. */
  readonly movedCount: number;
  /** The text of the note to pin; undefined when no transaction is moved. */
  readonly noteBody: string | undefined;
  /** Date-time of the note. */
  readonly now: Date;
}

export interface MovedTransactionsRow extends StoredRow {
  /** The account has changed since the first query, so nothing was stored. */
  readonly is_outdated: boolean;
}
