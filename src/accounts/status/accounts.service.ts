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

/** Progress of the import of one account. */
export interface AccountStatus {
  readonly state: AccountState;
  readonly serviceAccountNumber: string | null;
}

export interface ListWanted {
  readonly importSupplier: string;
  readonly filter: AccountFilter;
  /** Maximum number of elements; undefined for the whole list. */
  readonly limit: number | undefined;
  /** The list begins after this account number. */
  readonly after: string | undefined;
}

/** A list that is ready to be sent. */
export interface AccountList {
  /** A JSON array. A long one is sent chunk by chunk. */
  readonly body: string | AsyncIterable<string>;
  /** The account number after which the next page begins, if there is one. */
  readonly nextAfter?: string;
}

/** A list of at most this many rows takes a single query, which is cheapest. */
const FIRST_CHUNK_ROWS = 10_000;
/** A longer list continues in small chunks, which the garbage collector frees while they are young, so memory stays constant. */
const CHUNK_ROWS = 2_000;

/** Reads the progress of a migration. */
@Injectable()
export class AccountsService {
  /** Status requests for accounts of the same supplier share a query. They do not wait in the fair queue. */
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
   * The progress of the import of one account.
   *
   * @throws AppError `account_not_found` if it was never staged, or its supplier is not granted to the caller
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
   * The accounts of a supplier, ordered by account number, byte by byte. A list of any length is sent in constant memory: each
   * chunk is queried while the previous one is being sent. No account is left out or listed twice, because numbers never change.
   * Each chunk shows the state at the time of its query.
   *
   * @throws AppError `not_found` if the supplier is unknown or not granted to the caller; also while the list is sent
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

  /**
   * Without the grant, the query returns an empty chunk that closes the list. Passed on, it would look like the end of the
   * accounts.
   */
  private async chunk(request: ChunkRequest): Promise<ListChunk> {
    const chunk = await this.work.atSupplier(request.importSupplierId, (node) =>
      node.readInFairQueue(request.caller.organisationId, () =>
        node.query((tx) => this.repository.listChunk(tx, request)),
      ),
    );
    if (!chunk.is_granted) throw new AppError('not_found');
    return chunk;
  }
}
