import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../../infrastructure/config/settings.js';
import type { RequestReader } from '../../../capabilities/request-log/requests/request-reader.js';
import { RequestReadersService } from '../../../capabilities/request-log/requests/request-readers.service.js';
import type {
  ListFilter,
  ListRange,
  RequestCursor,
} from '../../../capabilities/request-log/requests/sent-requests.types.js';
import { encodeCursor, readNewest } from '../common/cursor.js';
import { withDistinctLabels } from '../common/key-names.js';
import { PageNotFound } from '../common/page-errors.js';
import { readSegment, type SentQuery } from '../common/parameters.js';
import { zonedDateTime } from '../common/zoned-date-time.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import { ViewedSuppliersService } from '../signed-in/viewed-suppliers.service.js';
import { organisationOf, type SignedInUser } from '../signed-in/signed-in-user.js';
import { readRequestsQuery } from './requests-query.js';
import { SHOWN_MAX, type ListedRequest, type RequestList, type ShownRequest } from './requests.types.js';

const LISTED_MAX = 100;
/** How many requests of all suppliers together, and how many refusals, the filter is applied to for one page. */
const ROWS_READ_MAX = 20_000;
/** The least for each supplier: more than there are requests of the same time. */
const ROWS_READ_MIN = 2_000;
/** Sorts after all ids of the same time. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The most API keys to choose from. */
const KEYS_MAX = 500;

/** The import requests, as a list and one by one. */
@Injectable()
export class RequestsService {
  constructor(
    private readonly suppliers: ViewedSuppliersService,
    private readonly readers: RequestReadersService,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * A page of the import requests that stored something or were refused, of one supplier or of all that the signed-in user
   * may see.
   *
   * @throws PageNotFound when the signed-in user may not see the supplier
   * Source: choices C2, C3, C11.
   */
  async list(user: SignedInUser, sent: SentQuery): Promise<RequestList> {
    const timeZone = user.timeZone ?? this.environment.PLATFORM_TIMEZONE;
    const query = readRequestsQuery(sent);
    const suppliers = await this.suppliers.list(user);
    const { supplier: code, key: apiKeyId, from, until, ...conditions } = query;
    const wanted = code === undefined ? suppliers : [await this.suppliers.find(user, code)];
    const reader = await this.readers.of(organisationOf(user));
    const time = (local: string | undefined): Date | undefined =>
      local === undefined ? undefined : zonedDateTime(local, timeZone);
    const filter = { ...conditions, apiKeyId, from: time(from), until: time(until) };
    const reading: { downTo?: string | undefined } = {};
    const found = await readNewest(query.after, LISTED_MAX, async (before, countMax) => {
      const downTo = await downToOfAll(reader, wanted, filter, before);
      reading.downTo = downTo;
      return newestOfAll(reader, wanted, filter, { before, downTo, countMax });
    });
    const end = found.next === undefined ? reading.downTo : undefined;
    const requests = end === undefined ? found : { ...found, next: encodeCursor([end, LAST_ID]) };
    const senders = await reader.senders(KEYS_MAX);
    const keys = [...senders].map(([id, { organisation, label }]) => ({
      id,
      label: user.kind !== 'admin' ? `${organisation}: ${label}` : label,
    }));
    const readTo = end === undefined ? undefined : new Date(end);
    return { suppliers, keys: withDistinctLabels(keys), query, requests, readTo };
  }

  /**
   * The newest own import requests and refusals with an id: a client may have sent it several times.
   *
   * @throws PageNotFound when there is none that the signed-in user may see
   * Source: choices A8, C11.
   */
  async find(user: SignedInUser, id: unknown): Promise<readonly ShownRequest[]> {
    const requestId = readSegment(id);
    const suppliers = await this.suppliers.list(user);
    const reader = await this.readers.of(organisationOf(user));
    const found: ShownRequest[] = [];
    for (const supplier of suppliers) {
      const own = await reader.find(supplier.id, [requestId], SHOWN_MAX);
      found.push(...own.map((request) => ({ ...request, supplier })));
    }
    if (found.length === 0) throw new PageNotFound();
    return found.toSorted((one, other) => other.at.getTime() - one.at.getTime()).slice(0, SHOWN_MAX);
  }
}

/**
 * How far back a page reads. A filter that matches few of many requests must not read all of them for a page that does not
 * fill up.
 *
 * @returns the latest time of the suppliers, because the page is in the order of time
 */
async function downToOfAll(
  reader: RequestReader,
  suppliers: readonly ViewedSupplier[],
  filter: ListFilter,
  before: RequestCursor,
): Promise<string | undefined> {
  // Without these filters the newest requests are those of the page.
  if (filter.kind === undefined && filter.code === undefined && filter.apiKeyId === undefined)
    return undefined;
  const rowsMax = Math.max(ROWS_READ_MIN, Math.floor(ROWS_READ_MAX / suppliers.length));
  let latest: string | undefined;
  for (const { id } of suppliers) {
    const downTo = await reader.listDownTo(id, filter, before, rowsMax);
    if (downTo !== undefined && (latest === undefined || isLater(downTo, latest))) latest = downTo;
  }
  return latest;
}

/** Compares times as PostgreSQL writes them in one time zone. Times within the same millisecond are compared as text. */
function isLater(one: string, other: string): boolean {
  return Date.parse(one) - Date.parse(other) > 0 || (Date.parse(one) === Date.parse(other) && one > other);
}

/**
 * Merges the newest requests of the suppliers. For each further supplier it reads only requests newer than the last one
 * listed so far.
 */
async function newestOfAll(
  reader: RequestReader,
  suppliers: readonly ViewedSupplier[],
  filter: ListFilter,
  range: Omit<ListRange, 'since'>,
): Promise<ListedRequest[]> {
  const { countMax } = range;
  let newest: ListedRequest[] = [];
  for (const supplier of suppliers) {
    const since = newest.length < countMax ? undefined : newest.at(-1)?.at;
    const own = await reader.list(supplier.id, filter, { ...range, since });
    newest = [...newest, ...own.map((request) => ({ ...request, supplier }))]
      .sort(newestFirst)
      .slice(0, countMax);
  }
  return newest;
}

function newestFirst(one: ListedRequest, other: ListedRequest): number {
  return other.microseconds - one.microseconds || (one.id < other.id ? 1 : -1);
}
