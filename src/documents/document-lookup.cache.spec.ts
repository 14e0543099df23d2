import { DocumentLookupCache } from './document-lookup.cache.js';

const { jest } = import.meta;

describe('the cached documents', () => {
  it('are cached for a quarter of an hour (F3)', () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const seen = new DocumentLookupCache();
    seen.add('root/a.pdf');
    now.mockReturnValue(1_000 + 15 * 60_000 - 1);
    expect([seen.has('root/a.pdf'), seen.has('root/b.pdf')]).toEqual([true, false]);
    now.mockReturnValue(1_000 + 15 * 60_000);
    expect(seen.has('root/a.pdf')).toBe(false);
  });

  it('are the newest that fit into 16 MiB (F3)', () => {
    const seen = new DocumentLookupCache();
    const key = (n: number): string => String(n).padStart(924, '/');
    const fitting = 16_384;
    for (let n = 0; n < fitting; n += 1) seen.add(key(n));
    seen.add(key(0));
    expect([seen.has(key(0)), seen.has(key(1))]).toEqual([true, true]);
    seen.add(key(fitting));
    expect([0, 1, 2, fitting].map((n) => seen.has(key(n)))).toEqual([true, false, true, true]);
    seen.delete(key(2));
    seen.add(key(1));
    expect([0, 1, 2, 3].map((n) => seen.has(key(n)))).toEqual([true, true, false, true]);
  });
});
