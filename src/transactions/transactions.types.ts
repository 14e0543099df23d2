import type { AccountAccess } from '../imports/account-access.js';
import type { ImportRequest } from '../imports/import-request.js';
import type { WithSent } from '../imports/item-columns.js';
import type { TRANSACTION } from '../items/transaction.item.js';

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
  readonly forceIntoOpenPeriod: boolean;
}

/** What became of a transaction of the payload. */
export interface TransactionOutcome {
  /** False when the account has had it already. */
  readonly isNew: boolean;
  /** The new day, and the internal note with the sentence that explains it, of a transaction that was moved. */
  readonly moved?: { readonly to: string; readonly note: string } | undefined;
}

/** Transactions to be booked on one account, each id once. */
export interface TransactionsRequest extends ImportRequest<NewTransaction> {
  readonly rules: BookingRules;
  /** Today's calendar day in the platform's time zone. */
  readonly today: string;
  /** Date-time of the note that lists the moved transactions. */
  readonly now: Date;
  /** Whether the query is needed that can move a date; the other one leaves the request to it. */
  readonly mayMove: boolean;
}

/** What the query answers of a request. */
export interface TransactionsRow extends AccountAccess {
  /** First and last day of the open statement period, both included. */
  readonly first_day: string;
  readonly last_day: string;
  /** Positions in the payload, from 0, of the transactions that keep the request from being booked; null for none. */
  readonly outside: readonly number[] | null;
  /** Whether one that may be moved lies outside. Then nothing of the request was stored, unless the query {@link moves}. */
  readonly has_outside: boolean;
  /** Whether the query can move a date. */
  readonly moves: boolean;
  /** Rows that were stored; null for none. */
  readonly stored: number | null;
  /** Ids of what was stored, when it is neither everything nor nothing. */
  readonly stored_ids: readonly string[] | null;
  readonly moved: readonly { readonly id: string; readonly to: string; readonly note: string }[] | null;
}
