import { Injectable } from '@nestjs/common';
import type { RequestReader } from '../../../capabilities/request-log/requests/request-reader.js';
import { RequestReadersService } from '../../../capabilities/request-log/requests/request-readers.service.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { organisationOf, type SignedInUser } from '../signed-in/signed-in-user.js';
import { ViewedSuppliersService } from '../signed-in/viewed-suppliers.service.js';
import { withDistinctLabels } from '../common/key-names.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import { accountHit, keyHit, requestHit, runHit, supplierHit } from './hits.js';
import { ItemSearchService } from './item-search.service.js';
import { SearchRepository } from './search.repository.js';
import { HITS_MAX, TEXT_MAX, type Hit, type SearchPlace, type SearchResult } from './search.types.js';

/** The beginning of a platform account number (choice S4). */
const PLATFORM_NUMBER = /^A-[0-9A-F]{0,8}$/;
const PLATFORM_NUMBER_LENGTH = 10;
/** The id of a run of the loader (choice L13). */
const RUN = /^[a-z0-9]{10}$/;

/** The hits, and whether there may be more. */
interface Found {
  readonly hits: readonly Hit[];
  readonly hasMore: boolean;
}

/** Finds suppliers and API keys by name, accounts by number, and runs, requests and items by id. */
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
   * names, external and platform account numbers in full or by their beginning, and runs and requests that the user may see
   * by their exact ids; as typed, in upper and in lower case. Each supplier is queried separately, through its part of an
   * index. If no account and no request is found, ids of items are searched for a moment.
   *
   * @param text undefined when no text was entered
   * @param stop aborts the search for items
   * Source: choice C2.
   */
  async find(user: SignedInUser, text: string | undefined, stop: AbortSignal): Promise<SearchResult> {
    if (!canBeFound(text)) return resultOf(text, []);
    const suppliers = await this.viewedSuppliers.list(user);
    const reader = await this.readers.of(organisationOf(user));
    const keys = await this.work.query((tx) => this.repository.listKeys(tx, organisationOf(user), text));
    const named = [
      ...suppliers.filter(({ code, name }) => hasWord(code, text) || hasWord(name, text)).map(supplierHit),
      ...withDistinctLabels(keys).map(keyHit),
    ];
    const parts = [await this.byPlatformNumber(suppliers, text)];
    for (const supplier of suppliers) parts.push(await this.inSupplier(reader, supplier, text));
    const found = parts.flatMap(({ hits }) => hits);
    const hasMore = parts.some((part) => part.hasMore);
    if (found.length > 0) return resultOf(text, [...named, ...found], { hasMore });
    const { momentMsMax } = this.items;
    const { hits, next } = await this.items.find(user, formsOf(text), undefined, stop, momentMsMax);
    return resultOf(text, [...named, ...hits], { areItemsSearched: true, next });
  }

  /**
   * Search only for the id of a transaction or a statement, for longer.
   *
   * @param from where an earlier search ended
   * Source: choice C2.
   */
  async findItems(
    user: SignedInUser,
    text: string | undefined,
    from: SearchPlace | undefined,
    stop: AbortSignal,
  ): Promise<SearchResult> {
    if (!canBeFound(text)) return resultOf(text, []);
    const { hits, next } = await this.items.find(user, formsOf(text), from, stop);
    return resultOf(text, hits, { areItemsSearched: true, next });
  }

  private async byPlatformNumber(suppliers: readonly ViewedSupplier[], text: string): Promise<Found> {
    const number = text.toUpperCase();
    if (!PLATFORM_NUMBER.test(number)) return { hits: [], hasMore: false };
    const byId = new Map(suppliers.map((supplier) => [supplier.id, supplier]));
    const { rows, hasMore } = await this.work.query((tx) =>
      this.repository.listByPlatformNumber(tx, [...byId.keys()], number),
    );
    const hits = rows.flatMap((row) => {
      const supplier = byId.get(row.import_supplier_id);
      return supplier ? [accountHit(supplier, row, number.length === PLATFORM_NUMBER_LENGTH)] : [];
    });
    return { hits, hasMore };
  }

  private async inSupplier(reader: RequestReader, supplier: ViewedSupplier, text: string): Promise<Found> {
    const forms = formsOf(text);
    const { id } = supplier;
    const accounts = await this.work.query((tx) => this.repository.listByNumber(tx, id, forms));
    const requests = await reader.find(id, forms, HITS_MAX + 1);
    const run = forms.find((form) => RUN.test(form));
    const isRun = run !== undefined && (await reader.hasRun(id, run));
    const hits = [
      ...accounts.map((row) => accountHit(supplier, row, forms.includes(row.external_account_number))),
      ...requests.map((request) => requestHit(supplier, request)),
      ...(isRun ? [runHit(supplier, run)] : []),
    ];
    return { hits, hasMore: Math.max(accounts.length, requests.length) > HITS_MAX };
  }
}

function canBeFound(text: string | undefined): text is string {
  return text !== undefined && Array.from(text).length <= TEXT_MAX;
}

/** A text as typed, in upper and in lower case. A text that is longer in upper case may have no such form. */
function formsOf(text: string): string[] {
  return [...new Set([text, text.toUpperCase(), text.toLowerCase()])].filter(canBeFound);
}

/** Whether a name, or one of its words, begins with a text, ignoring case. */
function hasWord(name: string, text: string): boolean {
  return ` ${name}`.toLowerCase().includes(` ${text}`.toLowerCase());
}

/** The result with exact hits first. It is one hit that is meant, if it is the only one, or the only exact one. */
function resultOf(
  text: string | undefined,
  found: readonly Hit[],
  rest: Partial<Pick<SearchResult, 'hasMore' | 'areItemsSearched' | 'next'>> = {},
): SearchResult {
  const { hasMore = false, areItemsSearched = false, next } = rest;
  const exact = found.filter(({ isExact }) => isExact === true);
  const hits = [...exact, ...found.filter(({ isExact }) => isExact !== true)];
  const isAll = !hasMore && next === undefined;
  const meant = new Set((exact.length > 0 ? exact : hits).map((hit) => hit.meant));
  const [only] = meant.size === 1 && (isAll || (exact.length > 0 && next === undefined)) ? meant : [];
  return {
    ...{ text: text ?? '', hits: hits.slice(0, HITS_MAX), hasMore: hasMore || hits.length > HITS_MAX },
    ...{ areItemsSearched, next, meant: only },
  };
}
