import type { DoorAnswer, Load } from '../imports/account-access.js';

/** A transaction to be booked on an account. */
export interface NewTransaction {
  readonly id: string;
  /** Calendar day, `YYYY-MM-DD`. */
  readonly date: string;
  /** At most 12 digits before the point and two behind it, so that a double holds it exactly. */
  readonly amount: number;
  readonly type: string;
  readonly reason?: string | undefined;
  readonly reference?: string | undefined;
  readonly paymentType?: string | undefined;
  readonly displayNote?: string | undefined;
  readonly note?: string | undefined;
  readonly productCode?: string | undefined;
  /** Kept as they are; their numbers have at most 15 significant digits. */
  readonly lineItems?: readonly object[] | undefined;
  readonly taxItems?: readonly object[] | undefined;
}

/** How transactions are booked (the query parameters of specification 4.2). */
export interface BookingRules {
  /** Skip what the account has already; otherwise add it without looking. */
  readonly checkPreviouslyAdded: boolean;
  /** Move what lies outside the open statement period into it; otherwise refuse the whole request. */
  readonly forceIntoOpenPeriod: boolean;
}

/** What became of one draft. */
export interface TransactionOutcome {
  /** False when the account has had it already. */
  readonly isNew: boolean;
  /** The new day and the internal note with its explanation, of one that was moved. */
  readonly moved?: { readonly to: string; readonly note: string };
}

/** Drafts that lie outside the open statement period; nothing was stored. */
export interface TransactionRefusal {
  /** Zero-based, ascending. */
  readonly positions: readonly number[];
  /** First and last day of the period, both included. */
  readonly firstDay: string;
  readonly lastDay: string;
}

export type BookingResult =
  { readonly outcomes: readonly TransactionOutcome[] } | { readonly refusal: TransactionRefusal };

/** Transactions to be booked on one account. */
export interface TransactionsLoad extends Load {
  /** In the order of the payload, each id once. */
  readonly drafts: readonly NewTransaction[];
  readonly rules: BookingRules;
  /** Today's calendar day in the platform's time zone. */
  readonly today: string;
  /** Moment of the note that explains what was moved. */
  readonly now: Date;
}

export interface BookAnswer extends DoorAnswer {
  readonly result: BookingResult;
}
