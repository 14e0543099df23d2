import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT } from '../../config/config.module.js';
import type { Environment } from '../../config/settings.js';
import type { RequestReader } from '../../sent-requests/request-reader.js';
import { RequestReadersService } from '../../sent-requests/request-readers.service.js';
import type { ListCursor, ListFilter } from '../../sent-requests/sent-requests.types.js';
import { zonedDateTime } from '../common/zoned-date-time.js';
import { readPage } from '../common/cursor.js';
import { PageNotFound } from '../common/page-errors.js';
import { readSegment, type SentQuery } from '../common/parameters.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import { organisationOf, type Viewer } from '../viewers/viewer.js';
import { readRequestsQuery } from './requests-query.js';
import type { ListedRequest, RequestList, ShownRequest } from './requests.types.js';

/** Requests of a page of the list. */
const LISTED_MAX = 100;
/** Requests of the same id at a supplier that their page shows. */
const SHOWN_MAX = 50;
/** API keys to choose from. */
const KEYS_MAX = 500;

/** The import requests as they arrive, and one by one. */
@Injectable()
export class RequestsService {
  constructor(
    private readonly suppliers: ViewedSuppliersService,
    private readonly readers: RequestReadersService,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /**
   * A page of the import requests that stored something or were refused, of one supplier or of all that the viewer sees.
   *
   * @throws PageNotFound when the viewer does not see the supplier
   * Source: choices C2, C3, C11.
   */
  async list(viewer: Viewer, sent: SentQuery): Promise<RequestList> {
    const timeZone = viewer.timeZone ?? this.environment.PLATFORM_TIMEZONE;
    const query = readRequestsQuery(sent);
    const suppliers = await this.suppliers.list(viewer);
    const { supplier: code, key: apiKeyId, from, until, ...conditions } = query;
    const wanted = code === undefined ? suppliers : [await this.suppliers.find(viewer, code)];
    const reader = await this.readers.of(organisationOf(viewer));
    const at = (local: string | undefined): Date | undefined =>
      local === undefined ? undefined : zonedDateTime(local, timeZone);
    const filter = { ...conditions, apiKeyId, from: at(from), until: at(until) };
    const requests = await readPage(
      ['timestamptz', 'uuid'],
      query.after,
      LISTED_MAX,
      ([exact_at = '', id = ''], countMax) => newestOfAll(reader, wanted, filter, { exact_at, id }, countMax),
      ({ exact_at, id }) => [exact_at, id],
    );
    const senders = await reader.senders(KEYS_MAX);
    const keys = [...senders].map(([id, { organisation, label }]) => ({
      id,
      name: viewer.kind === 'operator' ? `${organisation}: ${label}` : label,
    }));
    return { suppliers, keys, query, timeZone, requests };
  }

  /**
   * The own import requests and refusals with an id, newest first: a client may have sent it several times.
   *
   * @throws PageNotFound when there is none that the viewer may see
   * Source: choices A8, C11.
   */
  async find(viewer: Viewer, id: unknown): Promise<readonly ShownRequest[]> {
    const requestId = readSegment(id);
    const suppliers = await this.suppliers.list(viewer);
    const reader = await this.readers.of(organisationOf(viewer));
    const found: ShownRequest[] = [];
    for (const supplier of suppliers) {
      const own = await reader.find(supplier.id, requestId, SHOWN_MAX);
      found.push(...own.map((request) => ({ ...request, supplier })));
    }
    if (found.length === 0) throw new PageNotFound();
    return found.toSorted((one, other) => other.at.getTime() - one.at.getTime());
  }
}

/** Of a further supplier only what is newer than the last that is listed so far is read. */
async function newestOfAll(
  reader: RequestReader,
  suppliers: readonly ViewedSupplier[],
  filter: ListFilter,
  before: ListCursor,
  countMax: number,
): Promise<ListedRequest[]> {
  let newest: ListedRequest[] = [];
  for (const supplier of suppliers) {
    const since = newest.length < countMax ? undefined : newest.at(-1)?.at;
    const own = await reader.list(supplier.id, filter, { before, since, countMax });
    newest = [...newest, ...own.map((request) => ({ ...request, supplier }))]
      .sort(newestFirst)
      .slice(0, countMax);
  }
  return newest;
}

function newestFirst(one: ListedRequest, other: ListedRequest): number {
  return other.microseconds - one.microseconds || (one.id < other.id ? 1 : -1);
}
