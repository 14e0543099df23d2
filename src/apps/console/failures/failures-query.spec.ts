import { PageNotFound } from '../common/page-errors.js';
import { trendText } from './cause-parts.js';
import { causeOf, periodOf, sourceOf } from './failures-query.js';

describe('the query of a page of failures', () => {
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
