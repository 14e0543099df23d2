import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import { Injectable } from '@nestjs/common';
import { QUERY_CANCELED, sqlState } from '../../../infrastructure/errors/sql-state.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { RequestReadersService } from '../../../capabilities/request-log/requests/request-readers.service.js';
import { ViewedSuppliersService } from '../signed-in/viewed-suppliers.service.js';
import { organisationOf, type SignedIn } from '../signed-in/signed-in.js';
import { HITS_MAX, SearchRepository, TEXT_MAX } from './search.repository.js';
import type { FoundItem, FoundRefusal, ItemSearchResult, SearchedPart, SearchPlace } from './search.types.js';

/** The accounts that are searched at a time: at first, and at most, some tens of milliseconds when the index is in memory. */
const FIRST_ACCOUNTS = 1_000;
const ACCOUNTS_MAX = 10_000;
/**
 * A part may take so much of the time of a search. After one that takes longer so many times fewer accounts are tried, down to a
 * single one: of these four, the last of which is of one account, each has its time.
 */
const PART_OF_TIME = 1 / 4;
const FEWER = 10;
/** And all refusals so much, so that something is left for what is stored. */
const REFUSALS_PART = 1 / 2;

export interface ItemSearch {
  /** Undefined when nothing was written. */
  readonly text: string | undefined;
  /** Only in this supplier. */
  readonly code: string | undefined;
  /** From where a search that ran out of time goes on. */
  readonly from: SearchPlace | undefined;
}

type Refusals = Pick<ItemSearchResult, 'refusals' | 'notSearched'>;

/** When a search ends, on the clock of the process, and how long one query of it may take. */
interface Limits {
  readonly endsAtMs: number;
  /** When something was found. */
  readonly enoughAtMs: number;
  readonly partMsMax: number;
}

const NO_REFUSALS: Refusals = { refusals: [], notSearched: [] };

/** Finds transactions and statements by their ids, stored and refused. */
@Injectable()
export class ItemSearchService {
  /** Longest time of one search, in milliseconds. */
  readonly timeMsMax: number = 10_000;
  /** Of one that a page makes unasked, and so long one goes on that has found something, for what else has the id. */
  readonly momentMsMax: number = 300;

  constructor(
    private readonly work: UnitOfWork,
    private readonly viewedSuppliers: ViewedSuppliersService,
    private readonly readers: RequestReadersService,
    private readonly repository: SearchRepository,
  ) {}

  /**
   * Search for the id of a transaction or a statement, exact, supplier by supplier and account by account, through the primary keys;
   * an index of their own would make the imports slower. It ends a moment after it began when some accounts have it, after its time, or
   * when nobody waits for it. Before that the refusals of the suppliers are searched, once.
   *
   * @param stop ends it when it fires
   * @param timeMs how long it may take
   * @throws PageNotFound for a supplier that the viewer does not see
   * Source: choices C2, C9.
   */
  async find(
    signedIn: SignedIn,
    search: ItemSearch,
    stop: AbortSignal,
    timeMs = this.timeMsMax,
  ): Promise<ItemSearchResult> {
    const suppliers = await this.suppliersOf(signedIn, search);
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
      partMsMax: timeMs * PART_OF_TIME,
    };
    const ofRefusals = { ...limits, endsAtMs: now + timeMs * REFUSALS_PART };
    const refusals = search.from ? NO_REFUSALS : await this.refusals(signedIn, text, suppliers, ofRefusals);
    return { ...nothing, ...refusals, ...(await this.search(text, suppliers, search.from, limits, stop)) };
  }

  /** In the order of their codes, from where it goes on. */
  private async suppliersOf(signedIn: SignedIn, { code, from }: ItemSearch): Promise<ViewedSupplier[]> {
    if (code !== undefined) return [await this.viewedSuppliers.find(signedIn, code)];
    const suppliers = await this.viewedSuppliers.list(signedIn);
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
          accounts = Math.max(1, Math.floor(accounts / FEWER));
          continue;
        }
        if (performance.now() - startsAtMs < partMsMax / FEWER)
          accounts = Math.min(2 * accounts, ACCOUNTS_MAX);
        hits.push(...part.found.map((row) => ({ supplier, row })));
        after = part.last;
      }
    }
    return { outcome: hits.length > 0 ? 'found' : 'not_found', hits, next: undefined, left: [] };
  }

  /** The refusals with an item of the id, of all the suppliers; each takes a part of the time at most. */
  private async refusals(
    signedIn: SignedIn,
    text: string,
    suppliers: readonly ViewedSupplier[],
    { endsAtMs, partMsMax }: Limits,
  ): Promise<Refusals> {
    const reader = await this.readers.of(organisationOf(signedIn));
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

  /** @returns undefined when the time was not enough */
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
