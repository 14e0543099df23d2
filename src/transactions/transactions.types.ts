import type { AccountAccess } from '../ingest/account-access.js';
import type { ImportRequest } from '../ingest/import-request.js';
import type { WithSent } from '../ingest/item-columns.js';
import type { TRANSACTION } from '../ingest/kinds/transaction.item.js';

/** A transaction to be booked on an account. */
export interface NewTransaction extends WithSent<typeof TRANSACTION> {
  readonly id: string;
  /** Calendar day, `YYYY-MM-DD`. */
  readonly date: string;
  /** At most 12 digits before the point and two after it, so that a double holds it exactly. */
  readonly amount: number;
}

/** How transactions are booked (the query parameters of specification 4.2). */
export interface BookingRules {
  /** Skip what the account has already; otherwise add it without looking. */
  readonly checkPreviouslyAdded: boolean;
  /** Move what lies outside the open statement period into it; otherwise refuse the whole request. */
  readonly moveIntoPeriod: boolean;
}

/** The open statement period of an account: first and last day as `YYYY-MM-DD`, both included. */
export interface OpenPeriod {
  readonly first_day: string;
  readonly last_day: string;
}

/** Where a transaction is moved, and its internal note with the sentence that explains it. */
export interface Move {
  /** Calendar day, `YYYY-MM-DD`. */
  readonly to: string;
  readonly note: string;
}

/** What became of a transaction of the payload. */
export interface TransactionOutcome {
  /** False when the account has had it already. */
  readonly isNew: boolean;
  /** Of a transaction that was moved. */
  readonly moved?: Move | undefined;
}

/** Transactions to be booked on one account, each id once. */
export interface TransactionsRequest<
  Item extends NewTransaction = NewTransaction,
> extends ImportRequest<Item> {
  readonly checkPreviouslyAdded: boolean;
  /** Today's calendar day in the platform's time zone. */
  readonly today: string;
}

/** What both queries answer of a request. */
export interface StoredRow extends AccountAccess {
  /** Rows that were stored; null for none. */
  readonly stored: number | null;
  /** Ids of what was stored, when it is neither everything nor nothing. */
  readonly stored_ids: readonly string[] | null;
}

/** What lies outside the open statement period, by positions in the payload, from 0: it is new, or the account has it already. */
export interface OutsidePeriod extends OpenPeriod {
  readonly import_request_id: string;
  readonly new: readonly number[];
  readonly known: readonly number[];
}

export interface TransactionsRow extends StoredRow {
  /** Null when nothing lies outside; otherwise nothing was stored. */
  readonly outside: OutsidePeriod | null;
}

/** A transaction whose date is in the open statement period, or was moved there. */
export interface MovedTransaction extends NewTransaction {
  readonly moved: Move | undefined;
}

/** A request whose dates were moved into the period that the query before has found. */
export interface MovedTransactionsRequest extends TransactionsRequest<MovedTransaction> {
  readonly period: OpenPeriod;
  readonly importRequestId: string;
  /** Of {@link items}, those that were moved: exactly they are named in the note. */
  readonly movedCount: number;
  /** The text of the note to be pinned; undefined when nothing is left to be moved. */
  readonly noteBody: string | undefined;
  /** Date-time of the note. */
  readonly now: Date;
}

export interface MovedTransactionsRow extends StoredRow {
  /** The account is no longer as the query before has found it. Nothing was stored. */
  readonly is_outdated: boolean;
}
