import { moveToOpenPeriod, noteOnMoves } from './moves.js';

const PERIOD = { first_day: '2026-03-01', last_day: '2026-03-31' };

describe('a transaction outside the open statement period', () => {
  it.each([
    ['2026-02-28', '2026-03-01'],
    ['0001-01-01', '2026-03-01'],
    ['2026-04-01', '2026-03-31'],
    ['9999-12-31', '2026-03-31'],
  ])('of %s is moved to the nearest day, %s (X7)', (date, to) => {
    const sentence = `The transaction date was changed from ${date} to ${to}, which lies in the open statement period.`;
    const move = (note?: string): object =>
      moveToOpenPeriod(PERIOD, { id: 't', date, amount: 1, sent: { note } });
    expect([move('Ours.'), move(''), move()]).toEqual([
      { to, note: `Ours. ${sentence}` },
      { to, note: sentence },
      { to, note: sentence },
    ]);
  });

  it('is named in a note that lists up to fifty ids and counts the rest (X7)', () => {
    const ids = Array.from({ length: 51 }, (_, n) => `t${n}`);
    const begin =
      'of the imported transactions lay outside the open statement period from 2026-03-01 to 2026-03-31;';
    expect(noteOnMoves([], PERIOD, 'r')).toBeUndefined();
    expect(noteOnMoves(['a', 'b'], PERIOD, 'r')).toBe(
      `2 ${begin} the date was changed: a, b. Import request r.`,
    );
    expect(noteOnMoves(ids.slice(0, 50), PERIOD, 'r')).toMatch(/ t48, t49\. Import request r\.$/);
    expect(noteOnMoves(ids, PERIOD, 'r')).toMatch(/^51 .* t49 and 1 more\. Import request r\.$/);
  });
});
