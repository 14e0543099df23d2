import { PageNotFound } from '../common/page-errors.js';
import { retriedOf } from '../common/retried.js';
import { trendText } from './cause-parts.js';
import { causeOf, periodOf, sourceOf, stepsOf, trendCounts } from './failures-query.js';

describe('the query of a page of failures', () => {
  it('has one of three periods, 30 days by default (C9)', () => {
    expect(periodOf({})).toBe('30-days');
    const now = new Date('2026-11-23T10:00:00Z');
    const since = (['hour', 'day', '30-days'] as const).map((period) =>
      stepsOf(periodOf({ period }), now)[0]?.toISOString(),
    );
    expect(since).toEqual([
      '2026-11-23T09:00:00.000Z',
      '2026-11-22T10:00:00.000Z',
      '2026-10-24T10:00:00.000Z',
    ]);
  });

  it('has a trend in steps of 5 minutes, an hour or a day, and the last step ends now (C9)', () => {
    const now = new Date('2026-11-23T10:00:00Z');
    const steps = stepsOf('day', now);
    expect([steps.length, steps[23]?.toISOString()]).toEqual([24, '2026-11-23T09:00:00.000Z']);
    expect(stepsOf('hour', now)[11]?.toISOString()).toBe('2026-11-23T09:55:00.000Z');
    expect(stepsOf('30-days', now)[29]?.toISOString()).toBe('2026-11-22T10:00:00.000Z');
    expect(trendCounts('hour', { 0: 9, 1: 2, 12: 3 })).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3]);
  });

  it.each([
    [[3, 40], true, 'rising', 'rising: 40 in the last hour, 3 in the hour before'],
    [[3, 40], false, 'none recently', 'none recently: 40 in the last hour, 3 in the hour before'],
    [[40, 3], true, 'falling', 'falling: 3 in the last hour, 40 in the hour before'],
    [[100, 110], true, 'steady', 'steady: 110 in the last hour, 100 in the hour before'],
    [[7, 0, 0], false, 'none recently', 'none recently: 0 in the last hour, 0 in the hour before'],
  ] as const)('calls the trend %j, still failing: %s, %s (C9)', (counts, isFailing, word, text) => {
    expect(trendText(counts, 'hour', isFailing)).toEqual([word, text]);
  });

  it.each(['0', '-9223372036854775808', '9223372036854775807', undefined])(
    'names a cause of refusals, or all of them: %s (C9)',
    (cause) => {
      expect(causeOf('refusals', { cause })).toBe(cause);
    },
  );

  it('names a cause of failed imports by its message (C9)', () => {
    expect(causeOf('imports', { cause: ' It is closed. ' })).toBe(' It is closed. ');
  });

  it.each([
    () => periodOf({ period: 'year' }),
    () => periodOf({ period: ['day', 'day'] }),
    ...['retry', undefined, ['imports', 'imports']].map((source) => () => sourceOf({ source })),
    ...['9223372036854775808', '-9223372036854775809', '', '1.5', 'x', ' 1', ['1', '2']].map(
      (cause) => () => causeOf('refusals', { cause }),
    ),
    () => causeOf('imports', { cause: 'a\0b' }),
    () => causeOf('imports', { cause: ['a', 'b'] }),
  ])('leads to a page that does not exist when it has anything else, case %#', (read) => {
    expect(read).toThrow(PageNotFound);
  });

  it('may have the count of retried accounts', () => {
    expect(['7', '-1', 'x', '1234567890', undefined].map((retried) => retriedOf({ retried }))).toEqual([
      7,
      ...[undefined, undefined, undefined, undefined],
    ]);
  });
});
