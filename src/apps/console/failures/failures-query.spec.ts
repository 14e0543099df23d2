import { PageNotFound } from '../common/page-errors.js';
import { trendText } from './cause-parts.js';
import { causeOf, periodOf, sourceOf, stepsOf } from './failures-query.js';

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
  });

  it.each([
    [3, 40, 'rising: 40 in the last hour, 3 in the hour before'],
    [40, 3, 'falling: 3 in the last hour, 40 in the hour before'],
    [100, 110, 'steady: 110 in the last hour, 100 in the hour before'],
    [undefined, undefined, 'none: 0 in the last hour, 0 in the hour before'],
  ] as const)('calls %s and then %s %s (C9)', (before, last, text) => {
    const trend = { 0: 9, ...(before && { 23: before }), ...(last && { 24: last }) };
    expect(trendText({ trend }, 'day')).toBe(text);
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
});
