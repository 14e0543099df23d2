import fc from 'fast-check';
import { Intervals } from './intervals.js';

function setOf(...intervals: readonly (readonly [number, number])[]): Intervals {
  const set = new Intervals();
  for (const [start, end] of intervals) set.add(start, end);
  return set;
}

describe('intervals', () => {
  it.each([
    [
      'that come in order become one',
      [
        [0, 5],
        [5, 9],
      ],
      [[0, 9]],
    ],
    [
      'that come in the other order become one',
      [
        [5, 9],
        [0, 5],
      ],
      [[0, 9]],
    ],
    [
      'are joined by what fills the gap',
      [
        [0, 2],
        [4, 6],
        [2, 4],
      ],
      [[0, 6]],
    ],
    [
      'with a gap stay two',
      [
        [4, 6],
        [0, 3],
      ],
      [
        [0, 3],
        [4, 6],
      ],
    ],
  ] as const)('%s', (_title, added, expected) => {
    expect([...setOf(...added)]).toEqual(expected);
  });

  it.each([
    [0, 1],
    [3, 5],
    [4, 5],
    [0, 9],
    [5, 7],
  ])('refuse %i to %i, of which a part is there', (start, end) => {
    const set = setOf([0, 3], [4, 6]);
    expect(() => {
      set.add(start, end);
    }).toThrow('twice');
  });

  it('refuse an empty one', () => {
    expect(() => setOf([3, 3])).toThrow('empty');
  });

  it.each([
    [[], [[0, Infinity]]],
    [[[0, 3]], [[3, Infinity]]],
    [
      [
        [2, 4],
        [8, 9],
      ],
      [
        [0, 2],
        [4, 8],
        [9, Infinity],
      ],
    ],
  ] as const)('of %j leave the gaps %j', (added, gaps) => {
    expect(
      setOf(...added)
        .gaps()
        .map(({ from, to }) => [from, to]),
    ).toEqual(gaps);
  });

  it('hold what was added, in whatever order it came', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(cuts, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (points, order) => {
        const sorted = points.toSorted((a, b) => a - b);
        const pieces = sorted.slice(1).map((end, index) => [sorted[index]!, end] as const);
        const some = pieces
          .map((piece) => ({ piece, at: order.next().value as number }))
          .filter(({ at }) => at < 0.7)
          .toSorted((a, b) => a.at - b.at)
          .map(({ piece }) => piece);
        const set = setOf(...some);
        const positions = Array.from({ length: 202 }, (_, position) => position);
        const isIn = (position: number): boolean =>
          some.some(([start, end]) => start <= position && position < end);
        const gaps = set.gaps();
        const inGaps = positions.filter((at) => gaps.some(({ from, to }) => from <= at && at < to));
        expect(positions.filter((position) => set.has(position))).toEqual(positions.filter(isIn));
        expect(inGaps).toEqual(positions.filter((position) => !isIn(position)));
        const all = [...set];
        expect(all.every(([start], index) => index === 0 || all[index - 1]![1] < start)).toBe(true);
      }),
    );
  });
});
