import type { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import type { RequestReadersService } from '../../../capabilities/request-log/requests/request-readers.service.js';
import type { ViewedSuppliersService } from '../signed-in/viewed-suppliers.service.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';
import { ItemSearchService } from './item-search.service.js';
import type { SearchRepository } from './search.repository.js';
import type { SearchedPart, SearchPlace } from './search.types.js';

const { jest } = import.meta;

const CODE = 'S';
const USER: SignedInUser = { kind: 'operator', sessionId: 's', recordedAs: 'o', name: 'o' };

describe('a search for an item', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A supplier whose accounts take some time each; some of them have the item. */
  function searchOf(accounts: number, msPerAccount: number, having = [accounts]): ItemSearchService {
    const searchItems = (
      ...args: [unknown, number, readonly string[], { after: string; accountsMax: number; timeMs: number }]
    ): Promise<SearchedPart> => {
      const [, , , { after, accountsMax, timeMs }] = args;
      const first = Number(after);
      const last = Math.min(first + accountsMax, accounts);
      const neededMs = (last - first) * msPerAccount;
      jest.advanceTimersByTime(Math.min(neededMs, timeMs));
      if (neededMs > timeMs) {
        return Promise.reject(Object.assign(new Error('canceling statement'), { code: '57014' }));
      }
      const found = having
        .filter((number) => number > first && number <= last)
        .map((number) => ({
          kind: 'transaction' as const,
          id: 't',
          external_account_number: String(number),
        }));
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

  /** Search, and continue where the search ended. @returns how many searches it took, and the account that was found */
  async function searchOn(search: ItemSearchService): Promise<[searches: number, found: string | undefined]> {
    let from: SearchPlace | undefined;
    for (let searches = 1; searches <= 100; searches += 1) {
      const { hits, next } = await search.find(USER, ['t'], from, new AbortController().signal);
      const [hit] = hits;
      if (hit) return [searches, hit.account?.number];
      from = next;
    }
    return [Infinity, undefined];
  }

  it.each([
    ['continues for a moment', 0.01, ['1', '9999'], undefined],
    ['ends after a moment and can be continued', 1, ['1'], '255'],
  ])('that has found something %s (C2)', async (_what, ms, found, after) => {
    const search = searchOf(10_000, ms, [1, 9_999]);
    const { hits, next } = await search.find(USER, ['t'], undefined, new AbortController().signal);
    expect([hits.map(({ account }) => account?.number), next?.after]).toEqual([found, after]);
  });

  it('that a page makes on its own ends after its time (C2)', async () => {
    const startsAtMs = performance.now();
    const search = searchOf(1_000_000, 0.1);
    const { hits, next } = await search.find(USER, ['t'], undefined, new AbortController().signal, 300);
    expect([hits, next?.code]).toEqual([[], CODE]);
    expect(performance.now() - startsAtMs).toBeCloseTo(300);
  });

  it.each([
    ['in memory', 100_000, 0.005, 1],
    ['from a disk, 10,000 accounts in 20 seconds', 10_000, 2, 3],
    ['of large accounts, 1,000 in 50 seconds', 1_000, 50, 10],
    ['of huge accounts, two seconds each', 20, 2_000, 20],
  ])('comes to its end %s, continued from each stop (C2)', async (_what, accounts, ms, searchesMax) => {
    const [searches, found] = await searchOn(searchOf(accounts, ms));
    expect(found).toBe(String(accounts));
    expect(searches).toBeLessThanOrEqual(searchesMax);
  });
});
