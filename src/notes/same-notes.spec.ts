import { distinctNotes } from './same-notes.js';
import type { NewNote } from './notes.types.js';

const NOW = new Date('2026-11-21T10:00:00Z');
const EARLIER = new Date('2020-01-01T00:00:00Z');

function draft(body: string, createdAt?: Date, documentPaths: string[] = []): NewNote {
  return { body, documentPaths, createdAt, isPinned: false, unpinAt: undefined };
}

describe('distinctNotes', () => {
  it.each<[what: string, drafts: NewNote[], indexes: number[]]>([
    ['other bodies', [draft('a'), draft('b')], [0, 1]],
    ['the same body', [draft('a'), draft('b'), draft('a')], [0, 1, 0]],
    ['the same body at the same moment', [draft('a', EARLIER), draft('a', EARLIER)], [0, 0]],
    ['the same body at another moment', [draft('a', EARLIER), draft('a', NOW)], [0, 1]],
    ['a later one without a moment', [draft('a', EARLIER), draft('a')], [0, 0]],
    ['an earlier one without a moment', [draft('a'), draft('a', EARLIER), draft('a', NOW)], [0, 1, 2]],
    ['one without a moment that is not kept', [draft('a', EARLIER), draft('a'), draft('a', NOW)], [0, 0, 1]],
    ['several moments, and none', [draft('a', NOW), draft('a', EARLIER), draft('a')], [0, 1, 0]],
    ['the same paths', [draft('', NOW, ['x', 'y']), draft('', NOW, ['x', 'y'])], [0, 0]],
    ['the same paths in another order', [draft('', NOW, ['x', 'y']), draft('', NOW, ['y', 'x'])], [0, 1]],
    ['other paths beside the same body', [draft('a', NOW, ['x']), draft('a', NOW, ['y'])], [0, 0]],
    ['a body that looks like paths', [draft('', NOW, ['x']), draft('["x"]', NOW)], [0, 1]],
  ])('tells %s (N1, N4)', (_what, drafts, indexes) => {
    const { distinct, places } = distinctNotes(drafts);
    expect(places.map(({ index }) => index)).toEqual(indexes);
    expect(places.map(({ isRepeat }) => isRepeat)).toEqual(
      indexes.map((index, position) => indexes.indexOf(index) < position),
    );
    expect(distinct).toEqual(drafts.filter((_draft, position) => places[position]?.isRepeat === false));
  });
});
