import { Injectable } from '@nestjs/common';
import type { Caller } from '../../auth/caller.js';
import { AppError } from '../../infrastructure/errors/errors.js';
import { Batcher } from '../../infrastructure/database/batcher.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { SupplierIds } from '../../import-suppliers/supplier-ids.js';
import type { AccountRef } from '../../ingest/account-ref.js';
import type { AccountState } from './account-state.js';
import { AccountsRepository } from './accounts.repository.js';
import type {
  AccountFilter,
  AccountStatusRow,
  ChunkRequest,
  ListChunk,
  StatusRequest,
} from './accounts.types.js';

/** How far the import of an account is. */
export interface AccountStatus {
  readonly state: AccountState;
  readonly serviceAccountNumber: string | null;
}

export interface ListWanted {
  readonly importSupplier: string;
  readonly filter: AccountFilter;
  /** Elements at most; without it the whole list. */
  readonly limit: number | undefined;
  /** The list begins after this account number. */
  readonly after: string | undefined;
}

/** A list ready to be sent. */
export interface AccountList {
  /** A JSON array; a long one is sent chunk by chunk. */
  readonly body: string | AsyncIterable<string>;
  /** The account number after which the next page begins, when there is one. */
  readonly nextAfter?: string;
}

/** A list of up to so many rows is a single query, which costs least. */
const FIRST_CHUNK_ROWS = 10_000;
/** A longer one continues with chunks that are collected while they are young, so memory stays constant. */
const CHUNK_ROWS = 2_000;

/** How far a migration is. */
@Injectable()
export class AccountsService {
  /** Requests for the status of accounts of the same supplier share a query. They wait for no turn of their organisation. */
  readonly statuses: Batcher<StatusRequest, AccountStatusRow>;

  constructor(
    private readonly work: UnitOfWork,
    private readonly supplierIds: SupplierIds,
    private readonly repository: AccountsRepository,
  ) {
    this.statuses = new Batcher(work, {
      execute: (tx, importSupplierId, requests) => repository.findStatus(tx, importSupplierId, requests),
      ownerOf: () => undefined,
    });
  }

  /**
   * How far the import of one account is.
   *
   * @throws AppError `account_not_found` when it was never staged, or its supplier is not the caller's
   * Source: specification 4.5; choices S3, A8.
   */
  async status(caller: Caller, account: AccountRef): Promise<AccountStatus> {
    const importSupplierId = await this.supplierIds.find(account.importSupplier);
    if (importSupplierId === undefined) throw new AppError('account_not_found');
    const { externalAccountNumber } = account;
    const row = await this.statuses.enqueue(importSupplierId, { caller, externalAccountNumber });
    if (!row.state) throw new AppError('account_not_found');
    return { state: row.state, serviceAccountNumber: row.service_account_number };
  }

  /**
   * The accounts of a supplier, ordered by account number, byte by byte. A list of any length is sent in constant
   * memory: each chunk is queried when the one before it is on its way. No account is left out or listed twice, for
   * numbers never change; each chunk shows the state at its own time.
   *
   * @throws AppError `not_found` when the supplier is unknown or not granted to the caller; also while the list is sent
   * Source: specification 4.6 to 4.9; choices S5, A8.
   */
  async list(caller: Caller, wanted: ListWanted): Promise<AccountList> {
    const { limit, after = '', importSupplier, filter } = wanted;
    const importSupplierId = await this.supplierIds.find(importSupplier);
    if (importSupplierId === undefined) throw new AppError('not_found');
    const isPage = limit !== undefined;
    const countMax = limit ?? FIRST_CHUNK_ROWS;
    const request = { caller, importSupplierId, filter, after, countMax, isFirst: true, isPage };
    const first = await this.chunk(request);
    if (first.has_more && !isPage) return { body: this.chunks(request, first) };
    const nextAfter = first.has_more ? first.last_number : null;
    return { body: first.text, ...(nextAfter !== null && { nextAfter }) };
  }

  private async *chunks(request: ChunkRequest, first: ListChunk): AsyncGenerator<string> {
    yield first.text;
    let latest = first;
    while (latest.has_more && latest.last_number !== null) {
      const after = latest.last_number;
      latest = await this.chunk({ ...request, after, countMax: CHUNK_ROWS, isFirst: false });
      yield latest.text;
    }
  }

  /** Without the grant a chunk is empty and closes the list, which would look as if there were no further accounts. */
  private async chunk(request: ChunkRequest): Promise<ListChunk> {
    const chunk = await this.work.atSupplier(request.importSupplierId, (at) =>
      at.readInFairQueue(request.caller.organisationId, () =>
        at.query((tx) => this.repository.listChunk(tx, request)),
      ),
    );
    if (!chunk.is_granted) throw new AppError('not_found');
    return chunk;
  }
}
