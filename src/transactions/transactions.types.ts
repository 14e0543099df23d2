import type { AccountAccess } from '../imports/account-access.js';
import type { ImportRequest } from '../imports/import-request.js';

/** A transaction to be booked on an account. */
export interface NewTransaction {
  readonly id: string;
  /** Calendar day, `YYYY-MM-DD`. */
  readonly date: string;
  /** At most 12 digits before the point and two after it, so that a double holds it exactly. */
  readonly amount: number;
  readonly type: string;
  readonly reason?: string | undefined;
  readonly reference?: string | undefined;
  readonly paymentType?: string | undefined;
  readonly displayNote?: string | undefined;
  readonly note?: string | undefined;
  readonly productCode?: string | undefined;
  /** Stored as they are; their numbers have at most 15 significant digits. */
  readonly lineItems?: readonly object[] | undefined;
  readonly taxItems?: readonly object[] | undefined;
  /** The transaction as it was sent, for answers (choice X9). */
  readonly submitted: object;
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
}

/** What the query answers of a request. */
export interface TransactionsRow extends AccountAccess {
  /** First and last day of the open statement period, both included. */
  readonly first_day: string;
  readonly last_day: string;
  /** Positions in the payload, from 0, of the transactions that keep the request from being booked; null for none. */
  readonly outside: readonly number[] | null;
  /** Rows that were stored; null for none. */
  readonly stored: number | null;
  /** Ids of what was stored, when it is neither everything nor nothing. */
  readonly stored_ids: readonly string[] | null;
  readonly moved: readonly { readonly id: string; readonly to: string; readonly note: string }[] | null;
}
