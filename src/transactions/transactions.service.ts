import { Injectable } from '@nestjs/common';
import type { AccountRef } from '../ingest/account-ref.js';
import type { Caller } from '../auth/caller.js';
import { Clock } from '../infrastructure/clock/clock.js';
import { AppError, fieldError } from '../infrastructure/errors/errors.js';
import { AnsweredItems } from '../ingest/answered-items.js';
import { ImportRunner } from '../ingest/import-runner.js';
import { MOVED_TRANSACTIONS_IMPORT } from './moved-transactions.repository.js';
import { moveToOpenPeriod, noteOnMoves } from './moves.js';
import { toTransactionData } from './transaction-data.js';
import { TRANSACTIONS_IMPORT } from './transactions.repository.js';
import type {
  BookingRules,
  MovedTransaction,
  MovedTransactionsRequest,
  NewTransaction,
  OpenPeriod,
  OutsidePeriod,
  StoredRow,
  TransactionOutcome,
  TransactionsRequest,
} from './transactions.types.js';

/** How often a request whose dates are moved is tried when the account keeps changing between its two queries. */
const TRIES_MAX = 3;

/** Financial transactions of imported accounts. */
@Injectable()
export class TransactionsService {
  constructor(
    private readonly imports: ImportRunner,
    private readonly clock: Clock,
    private readonly counts: AnsweredItems,
  ) {}

  /**
   * Book transactions on an imported account. Either all of them are booked or none.
   *
   * Nearly every request has no date outside the open statement period and is stored by the first query. For any other request,
   * the dates are moved here between two queries, and the second query stores the request only if the moves are still valid.
   *
   * @param transactions in the order of the payload, each id once
   * @param isDryRun give the same answer but store nothing
   * @returns one outcome for each transaction, in the same order
   * @throws AppError `account_not_found`; `validation_error` while the supplier is not ongoing; `transaction_import_error`
   *   when a transaction lies outside the open statement period and the rules do not move it; `service_unavailable` when the
   *   account changes between the two queries at every try
   * Source: specification 4.2, 7.2; choices X5 to X8, S2, S6, S8, R1.
   */
  async book(
    caller: Caller,
    account: AccountRef,
    transactions: readonly NewTransaction[],
    rules: BookingRules,
    isDryRun: boolean,
  ): Promise<TransactionOutcome[]> {
    const { checkPreviouslyAdded, moveIntoPeriod } = rules;
    const request = { caller, account, items: transactions, checkPreviouslyAdded, today: this.clock.today() };
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      const row = await this.imports.run(TRANSACTIONS_IMPORT, request, isDryRun);
      const { outside } = row;
      if (outside === null) return this.answer(transactions, row, isDryRun);
      if (!moveIntoPeriod && outside.new.length > 0) {
        throw transactionImportError(transactions, outside);
      }
      const moving = movedRequest(request, outside, this.clock.now());
      if (moving.items.length === 0) return this.answer(transactions, row, isDryRun);
      const booked = await this.imports.run(MOVED_TRANSACTIONS_IMPORT, moving, isDryRun);
      if (!booked.is_outdated) return this.answer(transactions, booked, isDryRun, moving.items);
    }
    throw new AppError('service_unavailable');
  }

  /** @param booked the transactions passed to the second query, if it ran */
  private answer(
    transactions: readonly NewTransaction[],
    { stored, stored_ids }: StoredRow,
    isDryRun: boolean,
    booked: readonly MovedTransaction[] = [],
  ): TransactionOutcome[] {
    this.counts.add('transactions', isDryRun, transactions.length, stored ?? 0);
    const isEveryNew = stored === transactions.length;
    const newIds = new Set(stored_ids);
    const moves = new Map(booked.map(({ id, moved }) => [id, moved]));
    return transactions.map(({ id }) => ({ isNew: isEveryNew || newIds.has(id), moved: moves.get(id) }));
  }
}

/** The request for the second query, without transactions outside the open statement period that the account already has. */
function movedRequest(
  request: TransactionsRequest,
  { first_day, last_day, import_request_id, ...positions }: OutsidePeriod,
  now: Date,
): MovedTransactionsRequest {
  const period: OpenPeriod = { first_day, last_day };
  const [outside, known] = [new Set(positions.new), new Set(positions.known)];
  const items = request.items.flatMap((transaction, position) => {
    if (known.has(position)) return [];
    const { id, date, amount, sent } = transaction;
    const moved = outside.has(position) ? moveToOpenPeriod(period, transaction) : undefined;
    return [{ id, date, amount, sent, moved }];
  });
  const movedIds = items.flatMap(({ id, moved }) => (moved ? [id] : []));
  return {
    ...request,
    items,
    itemCount: request.items.length,
    period,
    importRequestId: import_request_id,
    movedCount: movedIds.length,
    noteBody: noteOnMoves(movedIds, period, import_request_id),
    now,
  };
}

/**
 * The error for a request with transactions outside the open statement period.
 *
 * Source: specification 7.2; choice X8.
 */
function transactionImportError(
  transactions: readonly NewTransaction[],
  { first_day, last_day, new: outside }: OutsidePeriod,
): AppError {
  const failing = outside.flatMap((position) => {
    const transaction = transactions[position];
    if (!transaction) return [];
    const { id, date } = transaction;
    const detail = `Transaction ${id} of ${date} lies outside the open statement period from ${first_day} to ${last_day}.`;
    return [{ transaction, detail, attr: `transactions.${position}.transaction_date` }];
  });
  const [first] = failing;
  return new AppError('transaction_import_error', {
    extra: {
      status: 'TRANSACTION_IMPORT_ERROR',
      error_detail: first?.detail,
      transaction_data: first && toTransactionData(first.transaction),
    },
    errors: failing.map(({ attr, detail }) => fieldError('outside_open_statement_period', attr, detail)),
  });
}
