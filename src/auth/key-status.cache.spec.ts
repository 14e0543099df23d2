import type { UnitOfWork } from '../infrastructure/database/unit-of-work.js';
import { KeyStatusCache } from './key-status.cache.js';

const { jest } = import.meta;

describe('the key status cache', () => {
  let now: number;
  let tokenVersion: number;
  let isUnreachable: boolean;
  let queryCount: number;
  let cache: { find: (key: string, gen: number) => Promise<unknown>; clear: () => void };
  beforeEach(() => {
    [now, tokenVersion, isUnreachable, queryCount] = [1_000_000, 1, false, 0];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const query = (): Promise<unknown[]> => {
      queryCount += 1;
      if (isUnreachable) return Promise.reject(new Error('Unreachable.'));
      return Promise.resolve([{ subject: 'o', tokenVersion, expiresAtMs: Infinity }]);
    };
    const statuses = new KeyStatusCache({ query } as unknown as UnitOfWork);
    cache = {
      find: (key, gen) => statuses.find({ key, gen }),
      clear: () => {
        statuses.clear();
      },
    };
  });

  it('uses an entry for less than two seconds (A7)', async () => {
    const first = await cache.find('key', 1);
    expect(first).toMatchObject({ subject: 'o', tokenVersion: 1, expiresAtMs: Infinity });
    now += 1_999;
    expect(await cache.find('key', 1)).toBe(first);
    expect(queryCount).toBe(1);
    now += 1;
    await cache.find('key', 1);
    expect(queryCount).toBe(2);
  });

  it('reloads the status for a token with a newer version, but not for one with an older version (A4)', async () => {
    await cache.find('key', 1);
    await cache.find('key', 0);
    expect(queryCount).toBe(1);
    tokenVersion = 2;
    expect(await cache.find('key', 2)).toMatchObject({ tokenVersion: 2 });
    expect(queryCount).toBe(2);
  });

  it('sends one query for concurrent requests (A7)', async () => {
    await Promise.all(Array.from({ length: 10 }, () => cache.find('key', 1)));
    expect(queryCount).toBe(1);
  });

  it('keeps the ten thousand most recently loaded entries (A7)', async () => {
    for (let key = 0; key <= 10_000; key += 1) await cache.find(`key ${key}`, 1);
    for (const key of [10_000, 1]) await cache.find(`key ${key}`, 1);
    expect(queryCount).toBe(10_001);
    await cache.find('key 0', 1);
    expect(queryCount).toBe(10_002);
  });
});
