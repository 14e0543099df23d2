import { Injectable } from '@nestjs/common';
import type { AccountRef } from '../accounts/account-ref.js';
import type { Caller } from '../auth/caller.js';
import { Clock } from '../common/clock.js';
import { AppError, fieldError } from '../common/errors.js';
import type { ImportMode } from '../imports/import-request.js';
import { AnsweredItems } from '../imports/answered-items.js';
import { toTransactionData } from './transaction-data.js';
import { TransactionsBatcher } from './transactions.batcher.js';
import type {
  BookingRules,
  NewTransaction,
  TransactionOutcome,
  TransactionsRow,
} from './transactions.types.js';

/** Financial transactions of imported accounts. */
@Injectable()
export class TransactionsService {
  constructor(
    private readonly batcher: TransactionsBatcher,
    private readonly clock: Clock,
    private readonly counts: AnsweredItems,
  ) {}

  /**
   * Book transactions on an imported account: all of them, or none.
   *
   * @param transactions in the order of the payload, each id once
   * @param mode a dry run answers the same and stores nothing
   * @returns one outcome for each transaction, in the same order
   * @throws AppError `account_not_found`; `validation_error` while the supplier is not ongoing; `transaction_import_error`
   *   when a transaction lies outside the open statement period and the rules do not move it
   * Source: specification 4.2, 7.2; choices X5 to X8, S2, S6, S8, R1.
   */
  async book(
    caller: Caller,
    account: AccountRef,
    transactions: readonly NewTransaction[],
    rules: BookingRules,
    mode: ImportMode,
  ): Promise<TransactionOutcome[]> {
    const today = this.clock.today();
    const request = { caller, account, items: transactions, rules, today, now: this.clock.now() };
    const row = await this.batcher.importMoving(request, mode);
    if (row.outside !== null) throw transactionImportError(transactions, row, row.outside);
    this.counts.add('transactions', mode, transactions.length, row.stored ?? 0);
    return outcomesOf(transactions, row);
  }
}

/**
 * The error of a request with transactions outside the open statement period.
 *
 * Source: specification 7.2; choice X8.
 */
function transactionImportError(
  transactions: readonly NewTransaction[],
  { first_day, last_day }: TransactionsRow,
  outside: readonly number[],
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

function outcomesOf(
  transactions: readonly NewTransaction[],
  { stored, stored_ids, moved }: TransactionsRow,
): TransactionOutcome[] {
  const isEveryNew = stored === transactions.length;
  const newIds = new Set(stored_ids);
  const movedById = new Map(moved?.map(({ id, to, note }) => [id, { to, note }]));
  return transactions.map(({ id }) => ({
    isNew: isEveryNew || newIds.has(id),
    moved: movedById.get(id),
  }));
}
