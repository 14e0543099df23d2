import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import { AppError } from '../common/errors.js';
import { Batcher } from '../database/batcher.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import {
  AccountsRepository,
  type AccountFilter,
  type AccountStatusRow,
  type ListStretch,
  type StatusWanted,
  type StretchWanted,
} from './accounts.repository.js';
import type { AccountRef } from './account-ref.js';
import type { AccountState } from './account-state.js';

/** How far an account is. */
export interface AccountStatus {
  readonly state: AccountState;
  readonly serviceAccountNumber: string | null;
}

export interface ListWanted {
  readonly importSupplier: string;
  readonly filter: AccountFilter;
  /** Elements at most; without it the whole list. */
  readonly limit: number | undefined;
  /** The list begins behind this account number. */
  readonly after: string | undefined;
}

/** A list ready to be sent. */
export interface AccountList {
  /** A JSON array; a long one arrives piece by piece. */
  readonly body: string | AsyncIterable<string>;
  /** The account number behind which the next page begins, when there is one. */
  readonly nextAfter?: string;
}

/** A whole list of so many rows is a single statement, which costs least. */
const FIRST_STRETCH_ROWS = 10_000;
/** A longer one goes on with stretches that are garbage again while they are young: memory stays as it is. */
const STRETCH_ROWS = 2_000;

/** Answers how far a migration is. */
@Injectable()
export class AccountsService {
  private readonly statusQuestions: Batcher<StatusWanted, AccountStatusRow | undefined>;

  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: AccountsRepository,
  ) {
    this.statusQuestions = new Batcher(work, {
      run: (tx, wanted) => repository.findStatus(tx, wanted),
      rowsOf: () => 1,
      groupOf: ({ ref }) => ref.importSupplier,
    });
  }

  /**
   * How far one account is.
   *
   * @throws AppError `account_not_found` when it was never staged, or its supplier is not the caller's
   * Source: specification 4.5; contract S3, A8.
   */
  async status(caller: Caller, ref: AccountRef): Promise<AccountStatus> {
    const row = await this.statusQuestions.ask({ caller, ref });
    if (!row) throw new AppError('account_not_found');
    return {
      state: row.state,
      serviceAccountNumber: row.service_account_number,
    };
  }

  /**
   * The accounts of a supplier, ordered by account number, byte by byte. A list of any length is sent in constant
   * memory: each stretch is asked for when the one before it is on its way. No account is missed or told twice, for
   * numbers never change; each stretch shows the state of its own moment.
   *
   * @throws AppError `not_found` when the supplier is unknown or not granted to the caller; also while the list is sent
   * Source: specification 4.6 to 4.9; contract S5, A8.
   */
  async list(caller: Caller, wanted: ListWanted): Promise<AccountList> {
    const { limit, after = '', importSupplier, filter } = wanted;
    const isPage = limit !== undefined;
    const countMax = limit ?? FIRST_STRETCH_ROWS;
    const stretch = { importSupplier, filter, after, countMax, isFirst: true, isPage };
    const first = await this.stretch(caller, stretch);
    if (!first.is_known) throw new AppError('not_found');
    if (first.has_more && !isPage) return { body: this.pieces(caller, stretch, first) };
    const nextAfter = first.has_more ? first.last_number : null;
    return { body: first.text, ...(nextAfter !== null && { nextAfter }) };
  }

  private async *pieces(caller: Caller, wanted: StretchWanted, first: ListStretch): AsyncGenerator<string> {
    yield first.text;
    const next = { ...wanted, countMax: STRETCH_ROWS, isFirst: false };
    let latest = first;
    while (latest.has_more && latest.last_number !== null) {
      latest = await this.stretch(caller, { ...next, after: latest.last_number });
      // Such a stretch is empty and closes the list, which would look as if there were no further accounts.
      if (!latest.is_known) throw new AppError('not_found');
      yield latest.text;
    }
  }

  private stretch(caller: Caller, wanted: StretchWanted): Promise<ListStretch> {
    return this.work.single((tx) => this.repository.listStretch(tx, caller, wanted));
  }
}
