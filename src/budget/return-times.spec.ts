import { ReturnTimes } from './return-times.js';

describe('when refused imports may return', () => {
  const times = (count: number, next: () => number): number[] => Array.from({ length: count }, next);

  it('is spread at the rate of the running ones, and never more than 30 s away', () => {
    const returnTimes = new ReturnTimes();
    // Half a second each, 4 at a time: 8 a second.
    const seconds = times(300, () => returnTimes.next(1_000, 4));
    expect(seconds.slice(0, 17)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3]);
    expect(seconds[239]).toBe(30);
    expect(new Set(seconds.slice(239))).toEqual(new Set([30]));
  });

  it('follows the rate at which imports are completed', () => {
    const returnTimes = new ReturnTimes();
    for (let count = 0; count < 200; count += 1) returnTimes.completed(10_000);
    expect(times(3, () => returnTimes.next(0, 4))).toEqual([3, 5, 8]);
  });

  it('starts again from now when the earlier ones have had their time', () => {
    const returnTimes = new ReturnTimes();
    times(30, () => returnTimes.next(0, 4));
    expect(returnTimes.next(2_000, 4)).toBe(2);
    expect(returnTimes.next(60_000, 4)).toBe(1);
  });
});
