import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';
import { Injectable } from '@nestjs/common';
import { itemOf } from '../../items/items.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { RequestReader } from '../../sent-requests/request-reader.js';
import { RequestReadersService } from '../../sent-requests/request-readers.service.js';
import type { FoundRequest } from '../../sent-requests/sent-requests.types.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import { organisationOf, type Viewer } from '../viewers/viewer.js';
import { HITS_MAX, SearchRepository } from './search.repository.js';
import type { FoundAccountRow, Hit, SearchResult } from './search.types.js';

/** No stored number or id is longer, in characters (choice T14). */
export const TEXT_MAX = 128;

/** The beginning of a platform account number (choice S4), in either case. */
const PLATFORM_NUMBER = /^A-[0-9A-F]{0,8}$/i;
const PLATFORM_NUMBER_LENGTH = 10;

/** What was found, and whether there may be more. */
interface Found {
  readonly hits: readonly Hit[];
  readonly hasMore: boolean;
}

/** Finds accounts by numbers, and requests by their ids. */
@Injectable()
export class SearchService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly viewedSuppliers: ViewedSuppliersService,
    private readonly readers: RequestReadersService,
    private readonly repository: SearchRepository,
  ) {}

  /**
   * External and platform account numbers, exact or by their beginning, and ids of requests that the viewer may see, exact, of the
   * suppliers that the viewer sees. Each supplier is asked by itself, through its part of an index.
   *
   * @param text undefined when nothing was written
   * Source: choice C2.
   */
  async find(viewer: Viewer, text: string | undefined): Promise<SearchResult> {
    const suppliers = await this.viewedSuppliers.list(viewer);
    if (text === undefined || Array.from(text).length > TEXT_MAX) {
      return { text: text ?? '', hits: [], hasMore: false, only: undefined, suppliers };
    }
    const parts: Found[] = [await this.byPlatformNumber(suppliers, text)];
    const reader = await this.readers.of(organisationOf(viewer));
    for (const supplier of suppliers) parts.push(await this.inSupplier(reader, supplier, text));
    const all = parts.flatMap(({ hits }) => hits);
    const exact = all.filter(({ isExact }) => isExact);
    const hits = [...exact, ...all.filter(({ isExact }) => !isExact)];
    const hasMore = hits.length > HITS_MAX || parts.some((part) => part.hasMore);
    const only = exact.length > 0 ? oneAccount(exact) : hasMore ? undefined : oneAccount(hits);
    return { text, hits: hits.slice(0, HITS_MAX), hasMore, only, suppliers };
  }

  private async byPlatformNumber(suppliers: readonly ViewedSupplier[], text: string): Promise<Found> {
    if (!PLATFORM_NUMBER.test(text)) return { hits: [], hasMore: false };
    const ids = suppliers.map(({ id }) => id);
    const number = text.toUpperCase();
    const isExact = text.length === PLATFORM_NUMBER_LENGTH;
    const { rows, hasMore } = await this.work.single(async (tx) =>
      isExact
        ? { rows: await this.repository.listByWholePlatformNumber(tx, ids, number), hasMore: false }
        : this.repository.listByPlatformNumber(tx, ids, number),
    );
    const byId = new Map(suppliers.map((supplier) => [supplier.id, supplier]));
    const hits = rows.flatMap((row) => {
      const supplier = byId.get(row.import_supplier_id);
      return supplier ? [toAccountHit(supplier, row, isExact)] : [];
    });
    return { hits, hasMore: hasMore || rows.length > HITS_MAX };
  }

  private async inSupplier(reader: RequestReader, supplier: ViewedSupplier, text: string): Promise<Found> {
    const accounts = await this.work.single((tx) => this.repository.listByNumber(tx, supplier.id, text));
    const requests = await reader.find(supplier.id, text, HITS_MAX + 1);
    const hits = [
      ...accounts.map((row) => toAccountHit(supplier, row, row.external_account_number === text)),
      ...requests.map((row) => toRequestHit(supplier, row)),
    ];
    return { hits, hasMore: Math.max(accounts.length, requests.length) > HITS_MAX };
  }
}

const STATES: Readonly<Record<FoundAccountRow['state'], string>> = {
  pending: 'Account, pending',
  imported: 'Account',
  failed: 'Account, import failed',
};

function toAccountHit(supplier: ViewedSupplier, row: FoundAccountRow, isExact: boolean): Hit {
  const { external_account_number: number, service_account_number: serviceAccountNumber } = row;
  return {
    supplier,
    number,
    serviceAccountNumber,
    what: STATES[row.state],
    at: null,
    isExact,
    isAccount: true,
  };
}

function toRequestHit(supplier: ViewedSupplier, request: FoundRequest): Hit {
  const { kind, at, status, isAccount, details } = request;
  const what = `${status === null ? 'Request' : 'Refused request'} of ${itemOf(kind).requestWords}${details.undoneAt ? ', undone' : ''}`;
  const { externalAccountNumber: number, requestId } = details;
  return { supplier, number, what, serviceAccountNumber: null, at, isExact: true, isAccount, requestId };
}

/** The account that all hits lead to, if it is one. */
function oneAccount(hits: readonly Hit[]): Hit | undefined {
  const [first, ...others] = hits;
  if (first?.isAccount !== true) return undefined;
  const isSame = ({ supplier, number }: Hit): boolean =>
    supplier.id === first.supplier.id && number === first.number;
  return others.every(isSame) ? first : undefined;
}
