import { PageNotFound } from '../common/page-errors.js';
import { countOf, optionalTextOf, periodOf, refusalCauseOf, sinceOf, textOf } from './failures-query.js';

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

  it.each(['0', '-9223372036854775808', '9223372036854775807'])(
    'names a group of refusals: %s (C9)',
    (cause) => {
      expect(refusalCauseOf({ cause })).toBe(cause);
    },
  );

  it.each([
    () => periodOf({ period: 'year' }),
    () => periodOf({ period: ['day', 'day'] }),
    ...['9223372036854775808', '-9223372036854775809', '', '1.5', 'x', ' 1', undefined, ['1', '2']].map(
      (cause) => () => refusalCauseOf({ cause }),
    ),
    () => textOf({}, 'cause'),
    () => textOf({ cause: 'a\0b' }, 'cause'),
    () => textOf({ cause: ['a', 'b'] }, 'cause'),
    () => optionalTextOf({ from: ['a', 'b'] }, 'from'),
  ])('is a page that does not exist when it has anything else, case %#', (read) => {
    expect(read).toThrow(PageNotFound);
  });

  it('may have a text or a count, or not', () => {
    expect([optionalTextOf({}, 'from'), optionalTextOf({ from: '' }, 'from')]).toEqual([undefined, '']);
    expect(
      ['7', '-1', 'x', '1234567890', undefined].map((retried) => countOf({ retried }, 'retried')),
    ).toEqual([7, undefined, undefined, undefined, undefined]);
  });
});
