import { median, percentile } from './statistics.js';

describe('the statistics of the benchmark', () => {
  it.each([
    [[3], 3],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
    [[10, 9, 100], 10],
  ])('returns for %j the median %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it.each([
    [0.5, 50],
    [0.99, 99],
    [0.991, 100],
    [1, 100],
  ])('returns for the share %d of the numbers from 1 to 100 the percentile %d', (share, expected) => {
    const shuffled = Array.from({ length: 100 }, (_, index) => ((index * 37) % 100) + 1);
    expect(percentile(shuffled, share)).toBe(expected);
  });

  it('returns NaN without values', () => {
    expect(median([])).toBeNaN();
    expect(percentile([], 0.99)).toBeNaN();
  });
});
