import { prefixEnd } from '../../../infrastructure/database/prefix-end.js';
import { run, type Query, type QueryParameters } from '../../../infrastructure/database/query.js';
import type { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import * as refusals from './refusals.queries.js';
import type {
  OthersRefusals,
  RefusalCause,
  RefusalExamples,
  RefusalFilter,
  RefusalRecord,
  RefusedAccount,
  RefusedAccountStates,
} from './refusals.types.js';
import { findSenders, type Senders } from './find-senders.js';
import * as requests from './sent-requests.queries.js';
import type {
  AccountRequests,
  FoundRequest,
  ListedRequest,
  ListFilter,
  ListRange,
  RequestCursor,
  RequestRow,
  SentRequest,
} from './sent-requests.types.js';
import * as stored from './stored-requests.queries.js';
import type { ImportRun, RequestFilter, SenderCounts, StoredRequest } from './stored-requests.types.js';

/** Sorts after every id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Reads import requests and refusals for an organisation or an operator. When a supplier is granted to several
 * organisations, the database returns only what everybody may see of the others' requests, and never searches by values
 * that the others have chosen.
 *
 * The caller has already checked that the supplier may be seen.
 *
 * Source: choices A8, C3.
 */
export class RequestReader {
  /** @param own the API keys of the organisation; undefined for an operator, who sees every request as an own one */
  constructor(
    private readonly work: UnitOfWork,
    private readonly own: Senders | undefined,
  ) {}

  /** A page of the stored and refused requests of a supplier, newest first. Source: choice C11. */
  async list(
    importSupplierId: number,
    filter: ListFilter,
    { before, since, downTo, countMax }: ListRange,
  ): Promise<ListedRequest[]> {
    const prefix = filter.run === undefined ? undefined : `${filter.run}-`;
    const wanted = prefix === undefined ? requests.LISTED_REQUESTS : requests.LISTED_OF_RUN;
    const rows = await this.all(wanted, importSupplierId, {
      ...(prefix !== undefined && { request_prefix: prefix, request_prefix_end: prefixEnd(prefix) }),
      ...requests.rangeOf(filter, before),
      ...{ kind: filter.kind ?? null, api_key_id: filter.apiKeyId ?? null },
      since: since?.toISOString() ?? '-infinity',
      down_to: downTo ?? '-infinity',
      before_id: before.id,
      count_max: countMax,
    });
    return this.withSenders(rows);
  }

  /**
   * How far back a page may read a supplier's requests, whatever its filter finds: to the time of the request that follows
   * `rowsMax` others.
   *
   * @param rowsMax counted separately for stored and for refused requests
   * @returns the time as PostgreSQL writes it; requests of that time and before are left to the next page. Undefined when
   *   there are no more
   * Source: choice C11.
   */
  async listDownTo(
    importSupplierId: number,
    filter: ListFilter,
    before: RequestCursor,
    rowsMax: number,
  ): Promise<string | undefined> {
    const range = { ...requests.rangeOf(filter, before), rows_max: rowsMax };
    return (await this.one(requests.LISTED_DOWN_TO, importSupplierId, range)).down_to ?? undefined;
  }

  /** The reader's own requests with one of some ids at a supplier, stored and refused, newest first. */
  async find(
    importSupplierId: number,
    requestIds: readonly string[],
    countMax: number,
  ): Promise<FoundRequest[]> {
    const wanted = { request_ids: requestIds, count_max: countMax };
    const rows = await this.all(requests.BY_REQUEST_ID, importSupplierId, wanted);
    return ownOf(await this.withSenders(rows));
  }

  /**
   * The reader's own refusals at a supplier that have an item with one of some ids, newest first.
   *
   * @param timeMs how long the query may take
   * @throws QueryFailedError `57014` after that time
   * Source: choice C9; decision 22 (docs/decisions/).
   */
  async refusalsOfItem(
    importSupplierId: number,
    itemIds: readonly string[],
    countMax: number,
    timeMs: number,
  ): Promise<FoundRequest[]> {
    const wanted = this.asReader({
      import_supplier_id: importSupplierId,
      item_ids: itemIds,
      count_max: countMax,
    });
    const rows = await this.work.atSupplier(importSupplierId, (node) =>
      node.write(async (tx) => {
        await run(tx, requests.LIMIT_TIME, { milliseconds: String(Math.ceil(timeMs)) });
        return run(tx, requests.BY_ITEM, wanted);
      }),
    );
    return ownOf(await this.withSenders(rows));
  }

  /** Whether the reader's organisation has sent requests of a run of the loader to a supplier (choice L13). */
  async hasRun(importSupplierId: number, name: string): Promise<boolean> {
    const anyTime = { before: { exact_at: 'infinity', id: LAST_ID }, since: undefined, downTo: undefined };
    const found = await this.list(importSupplierId, { run: name }, { ...anyTime, countMax: 1 });
    return found.length > 0;
  }

  /** The stored and refused requests of an account, in the order of their ids. */
  async ofAccount({
    importSupplierId,
    externalAccountNumber,
    after,
    direction,
    countMax,
  }: AccountRequests): Promise<SentRequest[]> {
    const wanted = { external_account_number: externalAccountNumber, after, count_max: countMax };
    return this.withSenders(await this.all(requests.OF_ACCOUNT[direction], importSupplierId, wanted));
  }

  /** The causes of the reader's own refusals, the most frequent first. @param steps when the steps of the period begin */
  refusalCauses(filter: RefusalFilter, steps: readonly Date[]): Promise<RefusalCause[]> {
    return this.all(refusals.REFUSAL_CAUSES, filter.import_supplier_id, { ...filter, steps });
  }

  /** The newest of the reader's own refusals of a cause, and its most frequent refused values. */
  refusalExamples(filter: RefusalFilter): Promise<RefusalExamples> {
    return this.one(refusals.REFUSAL_EXAMPLES, filter.import_supplier_id, { ...filter });
  }

  /** The accounts with own refusals of a cause, in the order of their numbers. @param from the first number */
  refusedAccounts(filter: RefusalFilter, from: string, countMax: number): Promise<RefusedAccount[]> {
    const range = { ...filter, from, count_max: countMax };
    return this.all(refusals.REFUSED_ACCOUNTS, filter.import_supplier_id, range);
  }

  /** How many accounts with own refusals of a cause are in each state, counted over at most `accountsMax` accounts. */
  refusedAccountStates(filter: RefusalFilter, accountsMax: number): Promise<RefusedAccountStates> {
    const range = { ...filter, accounts_max: accountsMax };
    return this.one(refusals.REFUSED_ACCOUNT_STATES, filter.import_supplier_id, range);
  }

  /** Single refusals, newest first; with a cause only own ones. @param after the refusal after which they begin */
  refusalRecords(
    filter: RefusalFilter,
    after: RequestCursor | undefined,
    countMax: number,
  ): Promise<RefusalRecord[]> {
    return this.all(refusals.NEWEST_REFUSALS, filter.import_supplier_id, {
      ...filter,
      before_at: after?.exact_at ?? 'infinity',
      before_id: after?.id ?? LAST_ID,
      count_max: countMax,
    });
  }

  /** How many refusals other organisations have, the highest count first; empty for an operator. */
  async refusalsOfOthers(filter: RefusalFilter): Promise<OthersRefusals[]> {
    if (!this.own) return [];
    return this.all(refusals.REFUSALS_OF_OTHERS, filter.import_supplier_id, { ...filter });
  }

  /**
   * A page of the reader's own requests that stored something, newest first.
   *
   * @param withUndone whether to include undone requests
   * @param before the last request of the previous page
   * @param countMax without counting requests of the same time as the last one
   */
  async storedRequests(
    importSupplierId: number,
    filter: RequestFilter,
    withUndone: boolean,
    before: RequestCursor | undefined,
    countMax: number,
  ): Promise<StoredRequest[]> {
    const path = stored.pathOf(filter);
    const rows = await this.all(stored.STORED_REQUESTS[path], importSupplierId, {
      ...stored.parametersOf(filter),
      ...(before && path !== 'account' && { until: before.exact_at }),
      before_id: before?.id ?? LAST_ID,
      with_undone: withUndone,
      count_max: countMax,
    });
    const senders = await this.sendersOf(rows.map(({ api_key_id }) => api_key_id));
    return rows.map((row) => ({ ...row, sender: senders.get(row.api_key_id) }));
  }

  /** How many own requests stored something, by sender, the highest count first. */
  async countStoredRequests(importSupplierId: number, filter: RequestFilter): Promise<SenderCounts[]> {
    const wanted = stored.STORED_REQUEST_COUNTS[stored.pathOf(filter)];
    const counts = await this.all(wanted, importSupplierId, stored.parametersOf(filter));
    const senders = await this.sendersOf(counts.map(({ apiKeyId }) => apiKeyId));
    return counts.map((count) => ({ ...count, sender: senders.get(count.apiKeyId) }));
  }

  /**
   * A page of the runs that sent the reader's own requests, the one with the newest request first.
   *
   * @param before the last run of the previous page
   */
  async runs(
    importSupplierId: number,
    filter: RequestFilter,
    before: ImportRun | undefined,
    countMax: number,
  ): Promise<ImportRun[]> {
    const senders = [...(await this.senders(null))];
    return this.all(stored.RUNS[stored.pathOf(filter)], importSupplierId, {
      ...stored.parametersOf(filter),
      sender_keys: senders.map(([apiKeyId]) => apiKeyId),
      sender_organisations: senders.map(([, { organisation }]) => organisation),
      before_at: before?.exact_at ?? 'infinity',
      before_run: before?.run ?? '',
      before_organisation: before?.organisation ?? '',
      count_max: countMax,
    });
  }

  /** The API keys whose requests can be selected: those of the organisation, or for an operator those of all, up to `countMax`. */
  async senders(countMax: number | null): Promise<Senders> {
    return this.own ?? this.work.query((tx) => findSenders(tx, 'all', { count_max: countMax }));
  }

  /** The parameters of a query, and the parameter of {@link isOwn}. */
  private asReader(parameters: QueryParameters): QueryParameters {
    return { ...parameters, own_api_key_ids: this.own ? [...this.own.keys()] : null };
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

  /** A separate query, because on several nodes the API keys are on none of the suppliers' nodes. */
  private async sendersOf(apiKeyIds: readonly string[]): Promise<Senders> {
    const ids = [...new Set(apiKeyIds)];
    if (this.own || ids.length === 0) return this.own ?? new Map();
    return this.work.query((tx) => findSenders(tx, 'ofKeys', { ids }));
  }

  /** The rows of a query on the node of the supplier. */
  private all<Row>(
    wanted: Query<Row>,
    importSupplierId: number,
    parameters: QueryParameters,
  ): Promise<Row[]> {
    const values = this.asReader({ ...parameters, import_supplier_id: importSupplierId });
    return this.work.queryAt(importSupplierId, (tx) => run(tx, wanted, values));
  }

  /** Only for a query that always returns one row. */
  private async one<Row>(
    wanted: Query<Row>,
    importSupplierId: number,
    parameters: QueryParameters,
  ): Promise<Row> {
    return (await this.all(wanted, importSupplierId, parameters))[0] as Row;
  }
}

/** The rows of a query that returns only own requests, which all have details. */
function ownOf<Row extends { readonly details: SentRequest['details'] }>(
  rows: readonly Row[],
): (Omit<Row, 'details'> & { readonly details: NonNullable<SentRequest['details']> })[] {
  return rows.flatMap(({ details, ...row }) => (details === null ? [] : [{ ...row, details }]));
}
