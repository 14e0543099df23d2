import { Injectable } from '@nestjs/common';
import { passDoor } from '../imports/account-access.js';
import type { AccountRef } from '../accounts/account-ref.js';
import { LoadQueue } from '../imports/import-batcher.js';
import type { Caller } from '../auth/caller.js';
import { Clock } from '../common/clock.js';
import { UnitOfWork, type LoadMode } from '../database/unit-of-work.js';
import { TransactionsRepository, type BookAnswer, type TransactionsLoad } from './transactions.repository.js';

/** A transaction to be booked on an account. */
export interface TransactionDraft {
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

/** Financial transactions of imported accounts. */
@Injectable()
export class TransactionsService {
  private readonly queue: LoadQueue<TransactionsLoad, BookAnswer>;

  constructor(
    work: UnitOfWork,
    repository: TransactionsRepository,
    private readonly clock: Clock,
  ) {
    this.queue = new LoadQueue(
      work,
      (tx, loads) => repository.book(tx, loads),
      ({ drafts }) => drafts.length,
    );
  }

  /**
   * Book transactions on an imported account: all of them, or none.
   *
   * @param drafts in the order of the payload, each id once
   * @param mode a dry run answers the same and stores nothing
   * @returns one outcome for each draft, or which drafts keep the request from being booked
   * @throws AppError `account_not_found`; `validation_error` while the supplier is not ongoing
   * Source: specification 4.2; contract X5 to X8, S2, S6, S8, R1.
   */
  async book(
    caller: Caller,
    ref: AccountRef,
    drafts: readonly TransactionDraft[],
    rules: BookingRules,
    mode: LoadMode,
  ): Promise<BookingResult> {
    const load = { caller, ref, drafts, rules, today: this.clock.today(), now: this.clock.now() };
    const answer = await this.queue.do(load, mode);
    passDoor(answer);
    return answer.result;
  }
}
