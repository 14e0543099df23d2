import { Injectable } from '@nestjs/common';
import { RequestReadersService } from '../../../capabilities/request-log/requests/request-readers.service.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { QUERY_CANCELED, sqlState } from '../../../infrastructure/errors/sql-state.js';
import { organisationOf, type SignedInUser } from '../signed-in/signed-in-user.js';
import { ViewedSuppliersService } from '../signed-in/viewed-suppliers.service.js';
import { itemHit, refusedItemHit } from './hits.js';
import { SearchRepository } from './search.repository.js';
import { HITS_MAX, type Hit, type SearchedPart, type SearchPlace } from './search.types.js';

/** A part of this length or less is followed by one of twice as many accounts, a longer one by one of half as many. */
const PART_MS = 100;
/** The most accounts of a part. */
const ACCOUNTS_MAX = 10_000;

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
   * Search for the exact ids of transactions and statements, supplier by supplier: in the refused requests, then account by
   * account through the primary keys, because an additional index would slow down the imports. The search ends a moment
   * after its start if it has found something, after its time, or when nobody waits for it.
   *
   * @param ids the forms in which the id is searched
   * @param from where an earlier search ended
   * @param stop aborts the search
   * @param timeMs how long the search may take
   * @returns what was found, and where the search continues unless it is at its end
   * Source: choices C2, C9.
   */
  async find(
    user: SignedInUser,
    ids: readonly string[],
    from: SearchPlace | undefined,
    stop: AbortSignal,
    timeMs = this.timeMsMax,
  ): Promise<{ readonly hits: readonly Hit[]; readonly next: SearchPlace | undefined }> {
    const reader = await this.readers.of(organisationOf(user));
    const suppliers = await this.viewedSuppliers.list(user);
    const first = suppliers.findIndex(({ code }) => code === from?.code);
    const startsAtMs = performance.now();
    const hits: Hit[] = [];
    for (const supplier of suppliers.slice(Math.max(0, first))) {
      const { id, code } = supplier;
      let after: string | null | undefined = code === from?.code ? from.after : undefined;
      let accounts = 1;
      while (after !== null) {
        const next = { code, after };
        const nowMs = performance.now();
        const leftMs = startsAtMs + (hits.length > 0 ? this.momentMsMax : timeMs) - nowMs;
        if (leftMs <= 0 || stop.aborted || hits.length > HITS_MAX) return { hits, next };
        try {
          if (after === undefined) {
            const refused = await reader.refusalsOfItem(id, ids, HITS_MAX, leftMs);
            hits.push(...refused.map((request) => refusedItemHit(supplier, request)));
            after = '';
          } else {
            const range = { after, accountsMax: accounts, timeMs: leftMs };
            const part: SearchedPart = await this.work.write((tx) =>
              this.repository.searchItems(tx, id, ids, range),
            );
            hits.push(...part.found.map((item) => itemHit(supplier, item)));
            after = part.last;
            const isQuick = performance.now() - nowMs <= PART_MS;
            accounts = isQuick ? Math.min(2 * accounts, ACCOUNTS_MAX) : Math.ceil(accounts / 2);
          }
        } catch (error) {
          if (sqlState(error) !== QUERY_CANCELED) throw error;
          return { hits, next };
        }
      }
    }
    return { hits, next: undefined };
  }
}
