import {
  counted,
  formatAge,
  formatCount,
  formatDay,
  formatDuration,
  formatMinute,
  formatZonedDateTime,
  formatMoney,
  formatShare,
} from './format.js';

describe('numbers on the pages', () => {
  it('have groups of thousands', () => {
    expect([0, 1, 999, 1_000, 1_000_000].map(formatCount)).toEqual(['0', '1', '999', '1,000', '1,000,000']);
  });

  it('have two decimals when they are amounts', () => {
    expect(['0', '-0.5', '12.50', '-100.00'].map(formatMoney)).toEqual(['0.00', '-0.50', '12.50', '-100.00']);
    expect(formatMoney('-123456789012345678901.99')).toBe('-123,456,789,012,345,678,901.99');
  });

  it('writes days as people do, and times with their zone', () => {
    expect(formatDay('2026-11-02')).toBe('2 Nov 2026');
    const at = new Date('2026-09-02T13:20:05Z');
    expect(formatZonedDateTime(at, 'Europe/London')).toBe('2 Sep 2026, 14:20:05 BST');
    expect(formatZonedDateTime(at, 'UTC')).toBe('2 Sep 2026, 13:20:05 UTC');
  });

  it.each([
    [0, 0, '0 %'],
    [0, 5, '0 %'],
    [1, 1_000_000, '< 0.1 %'],
    [1, 1_000, '0.1 %'],
    [1, 3, '33.3 %'],
    [999_999, 1_000_000, '99.9 %'],
    [1, 1, '100 %'],
    [1_000_000, 1_000_000, '100 %'],
  ])('writes %d of %d as %s', (part, whole, text) => {
    expect(formatShare(part, whole)).toBe(text);
  });

  it('writes the day with a time to the minute', () => {
    const at = new Date('2026-11-02T23:30:59Z');
    expect(formatMinute(at, 'UTC')).toBe('2 Nov 2026, 23:30 UTC');
    expect(formatMinute(at, 'Europe/Berlin')).toBe('3 Nov 2026, 00:30 CET');
  });

  it('have the unit of a duration', () => {
    expect([0, 999.4, 1_000, 59_940, 60_000, 7_200_000].map(formatDuration)).toEqual([
      ...['0 ms', '999 ms', '1.0 s', '59.9 s', '1 min', '120 min'],
    ]);
  });

  it.each([
    ['now', { 0: 'now', 999: 'now', [-999]: 'now' }],
    ['seconds', { 1_000: '1 second ago', 119_999: '119 seconds ago', [-1_000]: 'in 1 second' }],
    ['minutes', { 120_000: '2 minutes ago', 7_199_999: '119 minutes ago' }],
    ['hours', { 7_200_000: '2 hours ago', 172_799_999: '47 hours ago', [-7_200_000]: 'in 2 hours' }],
    ['days', { 172_800_000: '2 days ago', 34_560_000_000: '400 days ago' }],
  ])('are an age in milliseconds: %s', (_unit, texts) => {
    const now = new Date('2026-11-02T12:00:00Z');
    const ages = Object.keys(texts).map((age) => formatAge(new Date(now.getTime() - Number(age)), now));
    expect(ages).toEqual(Object.values(texts));
  });

  it('have the noun in singular or plural', () => {
    const texts = [0, 1, 1_000_000].map((count) => counted(count, 'account'));
    expect(texts).toEqual(['0 accounts', '1 account', '1,000,000 accounts']);
  });
});
