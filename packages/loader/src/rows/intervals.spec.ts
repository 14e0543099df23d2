import fc from 'fast-check';
import { Intervals } from './intervals.js';

describe('a set of positions', () => {
  it('holds what was added and nothing else, in the fewest intervals', () => {
    const added = fc.array(fc.tuple(fc.nat(40), fc.nat(8)), { maxLength: 12 });
    fc.assert(
      fc.property(added, (pairs) => {
        const intervals = new Intervals();
        const members = new Set<number>();
        for (const [from, length] of pairs) {
          intervals.add(from, from + length);
          for (let at = from; at < from + length; at += 1) members.add(at);
        }
        const positions = Array.from({ length: 50 }, (_, at) => at);
        expect(positions.filter((at) => intervals.has(at))).toEqual(
          positions.filter((at) => members.has(at)),
        );
        const inGaps = positions.filter((at) =>
          intervals.gaps().some(({ from, to }) => from <= at && at < to),
        );
        expect(inGaps).toEqual(positions.filter((at) => !members.has(at)));
        const starts = [...members].filter((at) => !members.has(at - 1));
        expect(intervals.length).toBe(starts.length);
      }),
    );
  });
});
