import type { Tx, UnitOfWork } from '../database/unit-of-work.js';
import type { OwnApiKeyIds } from './own.js';
import type { RefusalsRepository } from './refusals.repository.js';
import type {
  OthersRefusals,
  RefusalCause,
  RefusalCursor,
  RefusalExamples,
  RefusalFilter,
  RefusalRecord,
  RefusedAccount,
  RefusedAccountStates,
} from './refusals.types.js';
import type { Senders, SendersRepository } from './senders.repository.js';
import type { SentRequestsRepository } from './sent-requests.repository.js';
import type {
  AccountRequests,
  FoundRequest,
  ListCursor,
  ListedRequest,
  ListFilter,
  ListRange,
  RequestRow,
  SentRequest,
} from './sent-requests.types.js';
import type { StoredRequestsRepository } from './stored-requests.repository.js';
import type { RequestCursor, RequestFilter, SenderCounts, StoredRequest } from './stored-requests.types.js';

/** What a reader works with. */
interface ReaderTools {
  readonly work: UnitOfWork;
  readonly senders: SendersRepository;
  readonly requests: SentRequestsRepository;
  readonly refusals: RefusalsRepository;
  readonly stored: StoredRequestsRepository;
}

/**
 * Reads import requests and refusals for an organisation, or for an operator. On a supplier of several organisations the database
 * returns of the others' only what everybody may see, and finds nothing by what they have chosen.
 *
 * Whether the supplier may be seen at all is decided before.
 *
 * Source: choices A8, C3.
 */
export class RequestReader {
  /** @param own the API keys of the organisation; undefined for an operator, to whom every request is an own one */
  constructor(
    private readonly tools: ReaderTools,
    private readonly own: Senders | undefined,
  ) {}

  /** A page of the requests of a supplier, stored and refused, newest first. Source: choice C11. */
  async list(importSupplierId: number, filter: ListFilter, range: ListRange): Promise<ListedRequest[]> {
    const rows = await this.at(importSupplierId, (tx) =>
      this.tools.requests.list(tx, this.ownApiKeyIds, importSupplierId, filter, range),
    );
    return this.withSenders(rows);
  }

  /**
   * How far back a page may read of a supplier, whatever its filter finds: to the time of the request that comes after so many.
   *
   * @param rowsMax of those that are stored, and of those that are refused
   * @returns as PostgreSQL writes it; that time and older ones are left to the next page. Undefined when there are no more
   * Source: choice C11.
   */
  listDownTo(
    importSupplierId: number,
    filter: ListFilter,
    before: ListCursor,
    rowsMax: number,
  ): Promise<string | undefined> {
    return this.at(importSupplierId, (tx) =>
      this.tools.requests.listDownTo(tx, importSupplierId, filter, before, rowsMax),
    );
  }

  /** The own requests of a supplier with an id, stored and refused, newest first. */
  async find(importSupplierId: number, requestId: string, countMax: number): Promise<FoundRequest[]> {
    const rows = await this.at(importSupplierId, (tx) =>
      this.tools.requests.find(tx, this.ownApiKeyIds, importSupplierId, requestId, countMax),
    );
    return ownOf(await this.withSenders(rows));
  }

  /**
   * The own refusals of a supplier that had an item of an id, newest first.
   *
   * @param timeMs how long it may take
   * @throws QueryFailedError `57014` after that time
   * Source: choice C9; decision 22 (docs/decisions/).
   */
  async refusalsOfItem(
    importSupplierId: number,
    itemId: string,
    countMax: number,
    timeMs: number,
  ): Promise<FoundRequest[]> {
    const rows = await this.tools.work.atSupplier(importSupplierId, (at) =>
      at.write((tx) =>
        this.tools.requests.findByItem(tx, this.ownApiKeyIds, importSupplierId, itemId, countMax, timeMs),
      ),
    );
    return ownOf(await this.withSenders(rows));
  }

  /** The requests of an account, stored and refused, in the order of their ids. */
  async ofAccount(wanted: AccountRequests): Promise<SentRequest[]> {
    const rows = await this.at(wanted.importSupplierId, (tx) =>
      this.tools.requests.ofAccount(tx, this.ownApiKeyIds, wanted),
    );
    return this.withSenders(rows);
  }

  /** The causes of the own refusals, the commonest first. @param steps when the steps of the period begin */
  refusalCauses(filter: RefusalFilter, steps: readonly Date[]): Promise<RefusalCause[]> {
    return this.at(filter.import_supplier_id, (tx) =>
      this.tools.refusals.listCauses(tx, this.ownApiKeyIds, filter, steps),
    );
  }

  /** The newest own refusals of a cause, and its commonest refused values. */
  refusalExamples(filter: RefusalFilter): Promise<RefusalExamples> {
    return this.at(filter.import_supplier_id, (tx) =>
      this.tools.refusals.findExamples(tx, this.ownApiKeyIds, filter),
    );
  }

  /** The accounts of a cause of own refusals in the order of their numbers. @param from the first number */
  refusedAccounts(filter: RefusalFilter, from: string, countMax: number): Promise<RefusedAccount[]> {
    return this.at(filter.import_supplier_id, (tx) =>
      this.tools.refusals.listAccounts(tx, this.ownApiKeyIds, filter, from, countMax),
    );
  }

  /** In which states the accounts of a cause of own refusals are, of so many of them. */
  refusedAccountStates(filter: RefusalFilter, accountsMax: number): Promise<RefusedAccountStates> {
    return this.at(filter.import_supplier_id, (tx) =>
      this.tools.refusals.countStates(tx, this.ownApiKeyIds, filter, accountsMax),
    );
  }

  /** Refusals one by one, newest first; of one cause only own ones. @param after the one after which they begin */
  refusalRecords(
    filter: RefusalFilter,
    after: RefusalCursor | undefined,
    countMax: number,
  ): Promise<RefusalRecord[]> {
    return this.at(filter.import_supplier_id, (tx) =>
      this.tools.refusals.listRecords(tx, this.ownApiKeyIds, filter, after, countMax),
    );
  }

  /** How many refusals other organisations have; none for an operator. */
  async refusalsOfOthers(filter: RefusalFilter): Promise<OthersRefusals[]> {
    if (!this.own) return [];
    return this.at(filter.import_supplier_id, (tx) =>
      this.tools.refusals.countOfOthers(tx, this.ownApiKeyIds, filter),
    );
  }

  /**
   * A page of the own requests that stored something, newest first.
   *
   * @param withUndone whether also those that are undone
   * @param before the last one of the page before
   * @param countMax of those that are not of the same moment as the last one
   */
  async storedRequests(
    importSupplierId: number,
    filter: RequestFilter,
    withUndone: boolean,
    before: RequestCursor | undefined,
    countMax: number,
  ): Promise<(StoredRequest & RequestCursor)[]> {
    const rows = await this.at(importSupplierId, (tx) =>
      this.tools.stored.list(tx, this.ownApiKeyIds, importSupplierId, filter, withUndone, before, countMax),
    );
    const senders = await this.sendersOf(rows.map(({ api_key_id }) => api_key_id));
    return rows.map((row) => ({ ...row, sender: senders.get(row.api_key_id) }));
  }

  /** How many own requests stored something, by those who sent them, the most first. */
  async countStoredRequests(importSupplierId: number, filter: RequestFilter): Promise<SenderCounts[]> {
    const counts = await this.at(importSupplierId, (tx) =>
      this.tools.stored.count(tx, this.ownApiKeyIds, importSupplierId, filter),
    );
    const senders = await this.sendersOf(counts.map(({ apiKeyId }) => apiKeyId));
    return counts.map((count) => ({ ...count, sender: senders.get(count.apiKeyId) }));
  }

  /** Whose requests may be chosen by their key: the organisation's, or for an operator those of all, up to a number. */
  async senders(countMax: number): Promise<Senders> {
    return this.own ?? this.tools.work.single((tx) => this.tools.senders.list(tx, countMax));
  }

  private get ownApiKeyIds(): OwnApiKeyIds {
    return this.own ? [...this.own.keys()] : null;
  }

  private async withSenders<Row extends RequestRow>(
    rows: readonly Row[],
  ): Promise<(Omit<Row, 'details'> & Pick<SentRequest, 'details'>)[]> {
    const senders = await this.sendersOf(rows.flatMap(({ details }) => details?.apiKeyId ?? []));
    return rows.map(({ details, ...row }) => ({
      ...row,
      details: details && {
        ...details,
        undoneAt: details.undoneAt === null ? null : new Date(details.undoneAt),
        sender: senders.get(details.apiKeyId),
      },
    }));
  }

  /** By a query of its own: on several nodes the API keys are on none of the suppliers' nodes. */
  private async sendersOf(apiKeyIds: readonly string[]): Promise<Senders> {
    const ids = [...new Set(apiKeyIds)];
    if (this.own || ids.length === 0) return this.own ?? new Map();
    return this.tools.work.single((tx) => this.tools.senders.ofKeys(tx, ids));
  }

  private at<T>(importSupplierId: number, read: (tx: Tx) => Promise<T>): Promise<T> {
    return this.tools.work.atSupplier(importSupplierId, (at) => at.single(read));
  }
}

/** Of a query that finds only own ones. */
function ownOf<Row extends { readonly details: SentRequest['details'] }>(
  rows: readonly Row[],
): (Omit<Row, 'details'> & { readonly details: NonNullable<SentRequest['details']> })[] {
  return rows.flatMap(({ details, ...row }) => (details === null ? [] : [{ ...row, details }]));
}
