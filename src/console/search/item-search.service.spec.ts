import type { UnitOfWork } from '../../database/unit-of-work.js';
import type { RequestReadersService } from '../../sent-requests/request-readers.service.js';
import type { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import type { Viewer } from '../viewers/viewer.js';
import { ItemSearchService } from './item-search.service.js';
import type { SearchRepository } from './search.repository.js';
import type { SearchedPart, SearchPlace } from './search.types.js';

const { jest } = import.meta;

const CODE = 'S';
const VIEWER: Viewer = { kind: 'operator', sessionId: 's', recordedAs: 'o', name: 'o' };

describe('a search for an item', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A supplier with accounts of which each takes some time, and the last has the item. */
  function searchOf(accounts: number, msPerAccount: number): ItemSearchService {
    const searchItems = (
      ...args: [unknown, number, string, string, number, number]
    ): Promise<SearchedPart> => {
      const [, , after, , accountsMax, timeMs] = args;
      const first = Number(after);
      const last = Math.min(first + accountsMax, accounts);
      const neededMs = (last - first) * msPerAccount;
      jest.advanceTimersByTime(Math.min(neededMs, timeMs));
      if (neededMs > timeMs) {
        return Promise.reject(Object.assign(new Error('canceling statement'), { code: '57014' }));
      }
      const found =
        last === accounts ? [{ kind: 'transaction' as const, external_account_number: String(last) }] : [];
      return Promise.resolve({ last: last === first ? null : String(last), found });
    };
    return new ItemSearchService(
      { write: (work: (tx: unknown) => Promise<unknown>) => work(undefined) } as unknown as UnitOfWork,
      { list: () => Promise.resolve([{ id: 1, code: CODE }]) } as unknown as ViewedSuppliersService,
      {
        of: () => Promise.resolve({ refusalsOfItem: () => Promise.resolve([]) }),
      } as unknown as RequestReadersService,
      { searchItems } as unknown as SearchRepository,
    );
  }

  /** Search, and go on from where it ended. @returns how often, and the account that was found */
  async function searchOn(search: ItemSearchService): Promise<[searches: number, found: string | undefined]> {
    let from: SearchPlace | undefined;
    for (let searches = 1; searches <= 100; searches += 1) {
      const order = { text: 't', code: undefined, from };
      const { hits, next } = await search.find(VIEWER, order, new AbortController().signal);
      const [hit] = hits;
      if (hit) return [searches, hit.row.external_account_number];
      from = next;
    }
    return [Infinity, undefined];
  }

  it.each([
    ['in memory', 100_000, 0.005, 1],
    ['from a disk, 10,000 accounts in 20 seconds', 10_000, 2, 3],
    ['of large accounts, 1,000 in 50 seconds', 1_000, 50, 10],
    ['of huge accounts, two seconds each', 20, 2_000, 20],
  ])('comes to the end %s, from where it ran out of time (C2)', async (_what, accounts, ms, searchesMax) => {
    const [searches, found] = await searchOn(searchOf(accounts, ms));
    expect(found).toBe(String(accounts));
    expect(searches).toBeLessThanOrEqual(searchesMax);
  });
});
