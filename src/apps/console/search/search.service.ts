import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import { Injectable } from '@nestjs/common';
import { itemOf } from '../../../ingest/kinds/items.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import type { RequestReader } from '../../../capabilities/request-log/requests/request-reader.js';
import { RequestReadersService } from '../../../capabilities/request-log/requests/request-readers.service.js';
import type { FoundRequest } from '../../../capabilities/request-log/requests/sent-requests.types.js';
import { ViewedSuppliersService } from '../signed-in/viewed-suppliers.service.js';
import { organisationOf, type SignedInUser } from '../signed-in/signed-in-user.js';
import { ItemSearchService } from './item-search.service.js';
import { HITS_MAX, SearchRepository, TEXT_MAX } from './search.repository.js';
import type { FoundAccountRow, Hit, ItemSearchResult, Meant, SearchResult } from './search.types.js';

/** The beginning of a platform account number (choice S4), ignoring case. */
const PLATFORM_NUMBER = /^A-[0-9A-F]{0,8}$/i;
const PLATFORM_NUMBER_LENGTH = 10;

/** The hits, and whether there may be more. */
interface Found {
  readonly hits: readonly Hit[];
  readonly hasMore: boolean;
}

/** Finds suppliers and API keys by name, accounts by number, and requests and items by id. */
@Injectable()
export class SearchService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly viewedSuppliers: ViewedSuppliersService,
    private readonly readers: RequestReadersService,
    private readonly repository: SearchRepository,
    private readonly items: ItemSearchService,
  ) {}

  /**
   * Search the suppliers that the signed-in user may see: suppliers and own API keys by the beginning of a word of their
   * names, external and platform account numbers in full or by their beginning, and requests that the user may see by their
   * exact ids. Each supplier is queried separately, through its part of an index. If no account and no request is found,
   * ids of items are searched for a moment.
   *
   * @param text undefined when no text was entered
   * @param stop aborts the search for items
   * Source: choice C2.
   */
  async find(user: SignedInUser, text: string | undefined, stop: AbortSignal): Promise<SearchResult> {
    const suppliers = await this.viewedSuppliers.list(user);
    if (text === undefined || Array.from(text).length > TEXT_MAX) return emptyResult(text, suppliers);
    const namedSuppliers = suppliers
      .filter(({ code, name }) => [code, name].some((called) => hasWord(called, text)))
      .slice(0, HITS_MAX);
    const keys = await this.work.query((tx) => this.repository.listKeys(tx, organisationOf(user), text));
    const parts: Found[] = [await this.byPlatformNumber(suppliers, text)];
    const reader = await this.readers.of(organisationOf(user));
    for (const supplier of suppliers) parts.push(await this.inSupplier(reader, supplier, text));
    const all = parts.flatMap(({ hits }) => hits);
    const exact = all.filter(({ isExact }) => isExact);
    const hits = [...exact, ...all.filter(({ isExact }) => !isExact)];
    const hasMore = hits.length > HITS_MAX || parts.some((part) => part.hasMore);
    const isNamed = namedSuppliers.length + keys.length > 0;
    const account = exact.length > 0 ? oneAccount(exact) : hasMore || isNamed ? undefined : oneAccount(hits);
    const items = hits.length > 0 ? undefined : await this.itemsOf(user, text, stop);
    const meant = account ?? (items && !isNamed ? oneItem(items) : undefined);
    return { text, namedSuppliers, keys, hits: hits.slice(0, HITS_MAX), hasMore, suppliers, items, meant };
  }

  private itemsOf(user: SignedInUser, text: string, stop: AbortSignal): Promise<ItemSearchResult> {
    const everywhere = { text, code: undefined, from: undefined };
    return this.items.find(user, everywhere, stop, this.items.momentMsMax);
  }

  private async byPlatformNumber(suppliers: readonly ViewedSupplier[], text: string): Promise<Found> {
    if (!PLATFORM_NUMBER.test(text)) return { hits: [], hasMore: false };
    const ids = suppliers.map(({ id }) => id);
    const accountNumber = text.toUpperCase();
    const isExact = text.length === PLATFORM_NUMBER_LENGTH;
    const { rows, hasMore } = await this.work.query((tx) =>
      this.repository.listByPlatformNumber(tx, ids, accountNumber),
    );
    const byId = new Map(suppliers.map((supplier) => [supplier.id, supplier]));
    const hits = rows.flatMap((row) => {
      const supplier = byId.get(row.import_supplier_id);
      return supplier ? [toAccountHit(supplier, row, isExact)] : [];
    });
    return { hits, hasMore: hasMore || rows.length > HITS_MAX };
  }

  private async inSupplier(reader: RequestReader, supplier: ViewedSupplier, text: string): Promise<Found> {
    const accounts = await this.work.query((tx) => this.repository.listByNumber(tx, supplier.id, text));
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
  failed: 'Account, failed',
};

function toAccountHit(supplier: ViewedSupplier, row: FoundAccountRow, isExact: boolean): Hit {
  const { external_account_number: accountNumber, service_account_number: serviceAccountNumber } = row;
  return {
    supplier,
    accountNumber,
    serviceAccountNumber,
    description: STATES[row.state],
    at: null,
    isExact,
    isAccount: true,
  };
}

function toRequestHit(supplier: ViewedSupplier, request: FoundRequest): Hit {
  const { kind, at, status, isAccount, details } = request;
  const description = `${status === null ? 'Request' : 'Rejected request'} of ${itemOf(kind).requestWords}${details.undoneAt ? ', undone' : ''}`;
  const { externalAccountNumber: accountNumber, requestId } = details;
  return {
    supplier,
    accountNumber,
    description,
    serviceAccountNumber: null,
    at,
    isExact: true,
    isAccount,
    requestId,
  };
}

function emptyResult(text: string | undefined, suppliers: readonly ViewedSupplier[]): SearchResult {
  const nothing = { namedSuppliers: [], keys: [], hits: [], hasMore: false };
  return { ...nothing, text: text ?? '', suppliers, items: undefined, meant: undefined };
}

/** Whether a name, or one of its words, begins with a text, ignoring case. */
function hasWord(name: string, text: string): boolean {
  return ` ${name}`.toLowerCase().includes(` ${text}`.toLowerCase());
}

/** The item with the id, if everything was searched and nothing else has it. */
function oneItem({ hits, refusals, left, notSearched }: ItemSearchResult): Meant | undefined {
  const [first, ...others] = hits;
  if (!first || others.length + refusals.length + left.length + notSearched.length > 0) return undefined;
  return { supplier: first.supplier, accountNumber: first.row.external_account_number, kind: first.row.kind };
}

/** The account that all hits lead to, if there is only one. */
function oneAccount(hits: readonly Hit[]): Hit | undefined {
  const [first, ...others] = hits;
  if (first?.isAccount !== true) return undefined;
  const isSame = ({ supplier, accountNumber }: Hit): boolean =>
    supplier.id === first.supplier.id && accountNumber === first.accountNumber;
  return others.every(isSame) ? first : undefined;
}
