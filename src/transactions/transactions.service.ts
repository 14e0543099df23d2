import { Injectable } from '@nestjs/common';
import { passDoor } from '../imports/account-access.js';
import type { AccountRef } from '../accounts/account-ref.js';
import { ImportBatcher } from '../imports/import-batcher.js';
import type { Caller } from '../auth/caller.js';
import { Clock } from '../common/clock.js';
import { UnitOfWork, type ImportMode } from '../database/unit-of-work.js';
import { TransactionsRepository } from './transactions.repository.js';
import type {
  NewTransaction,
  BookingRules,
  BookingResult,
  TransactionsLoad,
  BookAnswer,
} from './transactions.types.js';

/** Financial transactions of imported accounts. */
@Injectable()
export class TransactionsService {
  private readonly queue: ImportBatcher<TransactionsLoad, BookAnswer>;

  constructor(
    work: UnitOfWork,
    repository: TransactionsRepository,
    private readonly clock: Clock,
  ) {
    this.queue = new ImportBatcher(
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
    drafts: readonly NewTransaction[],
    rules: BookingRules,
    mode: ImportMode,
  ): Promise<BookingResult> {
    const load = { caller, ref, drafts, rules, today: this.clock.today(), now: this.clock.now() };
    const answer = await this.queue.do(load, mode);
    passDoor(answer);
    return answer.result;
  }
}
