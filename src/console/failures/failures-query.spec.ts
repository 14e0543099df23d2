import { PageNotFound } from '../common/page-errors.js';
import { retriedOf } from '../common/retried.js';
import { causeOf, periodOf, sinceOf, sourceOf } from './failures-query.js';

describe('the query of a page of failures', () => {
  it('has one of three periods, by default 30 days (C9)', () => {
    expect(periodOf({})).toBe('30-days');
    const now = new Date('2026-11-23T10:00:00Z');
    const since = (['hour', 'day', '30-days'] as const).map((period) =>
      sinceOf(periodOf({ period }), now).toISOString(),
    );
    expect(since).toEqual([
      '2026-11-23T09:00:00.000Z',
      '2026-11-22T10:00:00.000Z',
      '2026-10-24T10:00:00.000Z',
    ]);
  });

  it.each(['0', '-9223372036854775808', '9223372036854775807', undefined])(
    'names a cause of refusals, or all of them: %s (C9)',
    (cause) => {
      expect(causeOf('refusals', { cause })).toBe(cause);
    },
  );

  it('names a cause of failed imports by its sentence (C9)', () => {
    expect(causeOf('imports', { cause: ' It is closed. ' })).toBe(' It is closed. ');
  });

  it.each([
    () => periodOf({ period: 'year' }),
    () => periodOf({ period: ['day', 'day'] }),
    () => sourceOf('retry'),
    ...['9223372036854775808', '-9223372036854775809', '', '1.5', 'x', ' 1', ['1', '2']].map(
      (cause) => () => causeOf('refusals', { cause }),
    ),
    () => causeOf('imports', { cause: 'a\0b' }),
    () => causeOf('imports', { cause: ['a', 'b'] }),
  ])('is a page that does not exist when it has anything else, case %#', (read) => {
    expect(read).toThrow(PageNotFound);
  });

  it('may have a count, or not', () => {
    expect(['7', '-1', 'x', '1234567890', undefined].map((retried) => retriedOf({ retried }))).toEqual([
      7,
      ...[undefined, undefined, undefined, undefined],
    ]);
  });
});
