import { formatZonedDateTime } from './format.js';
import { zonedDateTime } from './zoned-date-time.js';

describe('a local time', () => {
  it.each([
    ['UTC', '2026-07-01T12:00', '2026-07-01T12:00:00.000Z'],
    ['Europe/London', '2026-07-01T12:00', '2026-07-01T11:00:00.000Z'],
    ['Europe/London', '2026-01-01T12:00:59', '2026-01-01T12:00:59.000Z'],
    ['Asia/Kathmandu', '2026-01-01T00:00', '2025-12-31T18:15:00.000Z'],
    ['America/New_York', '2026-03-08T01:59', '2026-03-08T06:59:00.000Z'],
    ['America/New_York', '2026-03-08T03:00', '2026-03-08T07:00:00.000Z'],
    ['Pacific/Auckland', '0001-01-01T00:00', '0000-12-31T12:20:56.000Z'],
    ['America/New_York', '9999-12-31T23:59', '+010000-01-01T04:59:00.000Z'],
  ])('in %s, %s is %s (C11)', (zone, local, at) => {
    expect(zonedDateTime(local, zone).toISOString()).toBe(at);
  });

  it('that the clocks skip is later by the skipped time, and one that they show twice is either of the two (C11)', () => {
    expect(zonedDateTime('2026-03-29T01:30', 'Europe/London').toISOString()).toBe('2026-03-29T01:30:00.000Z');
    const twice = zonedDateTime('2026-10-25T01:30', 'Europe/London');
    expect(formatZonedDateTime(twice, 'Europe/London')).toContain('25 Oct 2026, 01:30:00');
  });
});
