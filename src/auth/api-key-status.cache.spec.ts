import type { UnitOfWork } from '../database/unit-of-work.js';
import { ApiKeyStatusCache } from './api-key-status.cache.js';

const { jest } = import.meta;

describe('what the database says of API keys', () => {
  let now: number;
  let generation: number;
  let isOutOfReach: boolean;
  let asked: number;
  let register: ApiKeyStatusCache;
  beforeEach(() => {
    [now, generation, isOutOfReach, asked] = [1_000_000, 1, false, 0];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const single = (): Promise<unknown[]> => {
      asked += 1;
      if (isOutOfReach) return Promise.reject(new Error('Out of reach.'));
      return Promise.resolve([{ organisation_id: 'o', token_version: generation, expires_at_ms: null }]);
    };
    register = new ApiKeyStatusCache({ single } as unknown as UnitOfWork);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is relied on for less than two seconds (A7)', async () => {
    const first = await register.find('key', 1);
    expect(first).toMatchObject({ organisationId: 'o', generation: 1, expiresAtMs: Infinity });
    now += 1_999;
    expect(await register.find('key', 1)).toBe(first);
    expect(asked).toBe(1);
    now += 1;
    await register.find('key', 1);
    expect(asked).toBe(2);
  });

  it('is asked for again when a token shows that it is old, and not for one that is older (A4)', async () => {
    await register.find('key', 1);
    await register.find('key', 0);
    expect(asked).toBe(1);
    generation = 2;
    expect(await register.find('key', 2)).toMatchObject({ generation: 2 });
    expect(asked).toBe(2);
  });

  it('is asked once by all who want to know it at the same moment (A7)', async () => {
    await Promise.all(Array.from({ length: 10 }, () => register.find('key', 1)));
    expect(asked).toBe(1);
  });

  it('lets nobody in while it is not known, and is asked for again at once (A7, T4)', async () => {
    isOutOfReach = true;
    await expect(register.find('key', 1)).rejects.toThrow('Out of reach.');
    isOutOfReach = false;
    expect(await register.find('key', 1)).toMatchObject({ generation: 1 });
  });

  it('is forgotten when this very process has changed it (A4)', async () => {
    await register.find('key', 1);
    register.forget();
    await register.find('key', 1);
    expect(asked).toBe(2);
  });

  it('is remembered of ten thousand keys, those that were asked for last (A7)', async () => {
    for (let key = 0; key <= 10_000; key += 1) await register.find(`key ${key}`, 1);
    for (const key of [10_000, 1]) await register.find(`key ${key}`, 1);
    expect(asked).toBe(10_001);
    await register.find('key 0', 1);
    expect(asked).toBe(10_002);
  });
});
