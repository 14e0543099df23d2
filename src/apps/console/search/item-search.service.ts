import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import { Injectable } from '@nestjs/common';
import { QUERY_CANCELED, sqlState } from '../../../infrastructure/errors/sql-state.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { RequestReadersService } from '../../../capabilities/request-log/requests/request-readers.service.js';
import { ViewedSuppliersService } from '../signed-in/viewed-suppliers.service.js';
import { organisationOf, type SignedInUser } from '../signed-in/signed-in-user.js';
import { HITS_MAX, SearchRepository, TEXT_MAX } from './search.repository.js';
import type { FoundItem, FoundRefusal, ItemSearchResult, SearchedPart, SearchPlace } from './search.types.js';

/** Accounts searched at a time, at first and at most: some tens of milliseconds when the index is in memory. */
const FIRST_ACCOUNTS = 1_000;
const ACCOUNTS_MAX = 10_000;
/**
 * The share of the time of a search that one part may take. A part that takes longer is retried with a tenth of the
 * accounts, down to a single one. That makes at most four parts, the last with one account, and each gets its full time.
 */
const PART_TIME_SHARE = 1 / 4;
const SHRINK_FACTOR = 10;
/** The share of the time for all refusals, so that some is left for stored items. */
const REFUSALS_TIME_SHARE = 1 / 2;

export interface ItemSearch {
  /** Undefined when no text was entered. */
  readonly text: string | undefined;
  /** Only in this supplier. */
  readonly code: string | undefined;
  /** Where to continue a search that ran out of time. */
  readonly from: SearchPlace | undefined;
}

type Refusals = Pick<ItemSearchResult, 'refusals' | 'notSearched'>;

/** When a search ends, by the clock of the process, and how long a single query may take. */
interface Limits {
  readonly endsAtMs: number;
  /** The end once something was found. */
  readonly enoughAtMs: number;
  readonly partMsMax: number;
}

const NO_REFUSALS: Refusals = { refusals: [], notSearched: [] };

/** Finds transactions and statements by their ids, stored and refused. */
@Injectable()
export class ItemSearchService {
  /** Longest time of one search, in milliseconds. */
  readonly timeMsMax: number = 10_000;
  /**
   * Longest time of a search that a page makes on its own, in milliseconds. A search that has found something also
   * continues only this long, to find what else has the id.
   */
  readonly momentMsMax: number = 300;

  constructor(
    private readonly work: UnitOfWork,
    private readonly viewedSuppliers: ViewedSuppliersService,
    private readonly readers: RequestReadersService,
    private readonly repository: SearchRepository,
  ) {}

  /**
   * Search for the exact id of a transaction or a statement, supplier by supplier and account by account, through the
   * primary keys; an additional index would slow down the imports. The search ends a moment after its start if accounts
   * with the id were found, after its time, or when nobody waits for it. The refusals of the suppliers are searched first,
   * once.
   *
   * @param stop aborts the search
   * @param timeMs how long the search may take
   * @throws PageNotFound for a supplier that the signed-in user may not see
   * Source: choices C2, C9.
   */
  async find(
    user: SignedInUser,
    search: ItemSearch,
    stop: AbortSignal,
    timeMs = this.timeMsMax,
  ): Promise<ItemSearchResult> {
    const suppliers = await this.suppliersOf(user, search);
    const { text, code } = search;
    const nothing = {
      text: text ?? '',
      code,
      suppliers,
      hits: [],
      next: undefined,
      left: [],
      ...NO_REFUSALS,
    };
    if (text === undefined || Array.from(text).length > TEXT_MAX) return { ...nothing, outcome: 'not_found' };
    const now = performance.now();
    const limits = {
      endsAtMs: now + timeMs,
      enoughAtMs: now + this.momentMsMax,
      partMsMax: timeMs * PART_TIME_SHARE,
    };
    const ofRefusals = { ...limits, endsAtMs: now + timeMs * REFUSALS_TIME_SHARE };
    const refusals = search.from ? NO_REFUSALS : await this.refusals(user, text, suppliers, ofRefusals);
    return { ...nothing, ...refusals, ...(await this.search(text, suppliers, search.from, limits, stop)) };
  }

  /** The suppliers in the order of their codes, starting where the search continues. */
  private async suppliersOf(user: SignedInUser, { code, from }: ItemSearch): Promise<ViewedSupplier[]> {
    if (code !== undefined) return [await this.viewedSuppliers.find(user, code)];
    const suppliers = await this.viewedSuppliers.list(user);
    const start = suppliers.findIndex((supplier) => supplier.code === from?.code);
    return suppliers.slice(Math.max(0, start));
  }

  private async search(
    text: string,
    suppliers: readonly ViewedSupplier[],
    from: SearchPlace | undefined,
    { endsAtMs, enoughAtMs, partMsMax }: Limits,
    stop: AbortSignal,
  ): Promise<Pick<ItemSearchResult, 'outcome' | 'hits' | 'next' | 'left'>> {
    const hits: FoundItem[] = [];
    let accounts = FIRST_ACCOUNTS;
    for (const [index, supplier] of suppliers.entries()) {
      const left = suppliers.slice(index);
      let after: string | null = from?.code === supplier.code ? from.after : '';
      while (after !== null) {
        const next = { code: supplier.code, after };
        const startsAtMs = performance.now();
        const isFound = hits.length > 0;
        const timeMs = Math.min((isFound ? enoughAtMs : endsAtMs) - startsAtMs, partMsMax);
        if (timeMs <= 0 || stop.aborted || hits.length > HITS_MAX)
          return { outcome: isFound ? 'found' : 'out_of_time', hits, next, left };
        const part = await this.part(supplier.id, after, text, accounts, timeMs);
        if (!part) {
          accounts = Math.max(1, Math.floor(accounts / SHRINK_FACTOR));
          continue;
        }
        if (performance.now() - startsAtMs < partMsMax / SHRINK_FACTOR)
          accounts = Math.min(2 * accounts, ACCOUNTS_MAX);
        hits.push(...part.found.map((row) => ({ supplier, row })));
        after = part.last;
      }
    }
    return { outcome: hits.length > 0 ? 'found' : 'not_found', hits, next: undefined, left: [] };
  }

  /** The refusals that have an item with the id, over all the suppliers. Each supplier takes at most a part of the time. */
  private async refusals(
    user: SignedInUser,
    text: string,
    suppliers: readonly ViewedSupplier[],
    { endsAtMs, partMsMax }: Limits,
  ): Promise<Refusals> {
    const reader = await this.readers.of(organisationOf(user));
    const refusals: FoundRefusal[] = [];
    const notSearched: ViewedSupplier[] = [];
    for (const supplier of suppliers) {
      const timeMs = Math.min(endsAtMs - performance.now(), partMsMax);
      try {
        if (timeMs <= 0) notSearched.push(supplier);
        else {
          const found = await reader.refusalsOfItem(supplier.id, text, HITS_MAX, timeMs);
          refusals.push(...found.map((refusal) => ({ ...refusal, supplier })));
        }
      } catch (error) {
        if (sqlState(error) !== QUERY_CANCELED) throw error;
        notSearched.push(supplier);
      }
    }
    return {
      refusals: refusals.toSorted((one, other) => other.at.getTime() - one.at.getTime()),
      notSearched,
    };
  }

  /** @returns undefined when it took too long */
  private async part(
    importSupplierId: number,
    after: string,
    text: string,
    accountsMax: number,
    timeMs: number,
  ): Promise<SearchedPart | undefined> {
    try {
      return await this.work.write((tx) =>
        this.repository.searchItems(tx, importSupplierId, after, text, accountsMax, timeMs),
      );
    } catch (error) {
      if (sqlState(error) === QUERY_CANCELED) return undefined;
      throw error;
    }
  }
}
