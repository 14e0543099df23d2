import type { NewNote } from './notes.types.js';
import { repeatedNotes } from './same-notes.js';

const NOW = '2026-11-21T10:00:00Z';
const EARLIER = '2020-01-01T00:00:00Z';

function note(body: string, createdAt?: string, documentPaths: string[] = []): NewNote {
  return { body, documentPaths, sent: { created_at: createdAt } };
}

describe('the notes of a payload that repeat an earlier one', () => {
  it.each<[what: string, notes: NewNote[], indexes: number[]]>([
    ['other bodies', [note('a'), note('b')], [0, 1]],
    ['the same body', [note('a'), note('b'), note('a')], [0, 1, 0]],
    ['the same body at the same time', [note('a', EARLIER), note('a', EARLIER)], [0, 0]],
    ['the same time in another zone', [note('a', EARLIER), note('a', '2020-01-01T01:00:00+01:00')], [0, 0]],
    ['the same body at another time', [note('a', EARLIER), note('a', NOW)], [0, 1]],
    ['a later one without a time', [note('a', EARLIER), note('a')], [0, 0]],
    ['an earlier one without a time', [note('a'), note('a', EARLIER), note('a', NOW)], [0, 1, 2]],
    ['one without a time that is a repeat', [note('a', EARLIER), note('a'), note('a', NOW)], [0, 0, 2]],
    ['several times, and none', [note('a', NOW), note('a', EARLIER), note('a')], [0, 1, 0]],
    ['the same paths', [note('', NOW, ['x', 'y']), note('', NOW, ['x', 'y'])], [0, 0]],
    ['the same paths in another order', [note('', NOW, ['x', 'y']), note('', NOW, ['y', 'x'])], [0, 1]],
    ['other paths beside the same body', [note('a', NOW, ['x']), note('a', NOW, ['y'])], [0, 0]],
    ['a body that looks like paths', [note('', NOW, ['x']), note('["x"]', NOW)], [0, 1]],
  ])('are recognised among %s', (_what, notes, indexes) => {
    expect(repeatedNotes(notes)).toEqual(indexes);
  });
});
