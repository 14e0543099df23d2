import { formatCount, formatDay, formatMoment, formatMoney } from './format.js';

describe('numbers on the pages', () => {
  it.each([
    [0, '0'],
    [1, '1'],
    [999, '999'],
    [1_000, '1,000'],
    [1_000_000, '1,000,000'],
  ])('groups the thousands of %d', (count, text) => {
    expect(formatCount(count)).toBe(text);
  });

  it.each([
    ['0', '0.00'],
    ['-0.5', '-0.50'],
    ['12.50', '12.50'],
    ['-1234.5', '-1,234.50'],
    ['-100.00', '-100.00'],
    ['123456789012345678901.99', '123,456,789,012,345,678,901.99'],
  ])('writes the amount %s with two decimals', (amount, text) => {
    expect(formatMoney(amount)).toBe(text);
  });

  it('writes days as people do, and moments with their zone', () => {
    expect(formatDay('2026-11-02')).toBe('2 Nov 2026');
    const moment = new Date('2026-09-02T13:20:05Z');
    expect(formatMoment(moment, 'Europe/London')).toBe('2 Sep 2026, 14:20:05 BST');
    expect(formatMoment(moment, 'UTC')).toBe('2 Sep 2026, 13:20:05 UTC');
  });
});
