import type { UnitOfWork } from '../database/unit-of-work.js';
import { GrantCache } from './grant.cache.js';

const { jest } = import.meta;

describe('the grant cache', () => {
  let now: number;
  let isGranted: boolean;
  let isUnreachable: boolean;
  let queryCount: number;
  let cache: GrantCache;
  beforeEach(() => {
    [now, isGranted, isUnreachable, queryCount] = [1_000_000, true, false, 0];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const single = (): Promise<unknown> => {
      queryCount += 1;
      return isUnreachable
        ? Promise.reject(new Error('Unreachable.'))
        : Promise.resolve({ is_granted: isGranted });
    };
    cache = new GrantCache({ single } as unknown as UnitOfWork);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('uses what the primary said for less than two seconds, for each supplier and organisation (A8, O8)', async () => {
    expect(await cache.isGranted(1, 'a')).toBe(true);
    isGranted = false;
    now += 1_999;
    expect(await cache.isGranted(1, 'a')).toBe(true);
    expect(queryCount).toBe(1);
    expect([await cache.isGranted(1, 'b'), await cache.isGranted(11, 'a')]).toEqual([false, false]);
    now += 1;
    expect(await cache.isGranted(1, 'a')).toBe(false);
  });

  it('sends one query for concurrent requests (O8)', async () => {
    await Promise.all(Array.from({ length: 10 }, () => cache.isGranted(1, 'a')));
    expect(queryCount).toBe(1);
  });

  it('permits nothing while the primary does not answer, and queries again at once (A8, O8)', async () => {
    isUnreachable = true;
    await expect(cache.isGranted(1, 'a')).rejects.toThrow('Unreachable.');
    isUnreachable = false;
    expect(await cache.isGranted(1, 'a')).toBe(true);
  });

  it('keeps ten thousand entries, those that were loaded last (O8)', async () => {
    for (let supplier = 0; supplier <= 10_000; supplier += 1) await cache.isGranted(supplier, 'a');
    for (const supplier of [10_000, 1]) await cache.isGranted(supplier, 'a');
    expect(queryCount).toBe(10_001);
    await cache.isGranted(0, 'a');
    expect(queryCount).toBe(10_002);
  });
});
