import fc from 'fast-check';
import { calendarDayIn, formatDateTime, isCalendarDay, parseDateTime } from './dates.js';

describe('isCalendarDay', () => {
  it('accepts the first and the last day, and those of a leap year (T12)', () => {
    const days = ['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '2023-02-28', '2026-04-30'];
    expect(days.filter((text) => !isCalendarDay(text))).toEqual([]);
  });

  it.each([
    ['days that the month lacks', ['2023-02-29', '1900-02-29', '2024-02-30', '2026-04-31', '2026-01-32']],
    ['zeros and month 13', ['2026-01-00', '2026-00-10', '0000-12-31', '2026-13-10']],
    ['other forms', ['', '2026-1-1', '26-01-01', '20260101', '2026/01/01', '+2026-01-01', '２０２６-01-01']],
    ['more than a day', [' 2026-01-01', '2026-01-01 ', '2026-01-01\n', '2026-01-01T00:00:00Z']],
  ])('rejects %s (T12)', (_what, texts) => {
    expect(texts.filter(isCalendarDay)).toEqual([]);
  });

  it('agrees with Date on every day of the calendar', () => {
    const days = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z') };
    fc.assert(
      fc.property(fc.date({ ...days, noInvalidDate: true }), fc.integer({ min: 1, max: 31 }), (date, day) => {
        const month = date.toISOString().slice(0, 7);
        const text = `${month}-${String(day).padStart(2, '0')}`;
        const isReal = new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
        expect(isCalendarDay(text)).toBe(isReal);
      }),
    );
  });
});

describe('parseDateTime', () => {
  it.each([
    ['2024-02-29T08:30:00Z', '2024-02-29T08:30:00Z'],
    ['2024-02-29T08:30:00.1Z', '2024-02-29T08:30:00Z'],
    ['2024-02-29T08:30:59.999999999Z', '2024-02-29T08:30:59Z'],
    ['2024-02-29T23:59:59+00:00', '2024-02-29T23:59:59Z'],
    ['2024-02-29T00:00:00+02:00', '2024-02-28T22:00:00Z'],
    ['2024-02-29T23:00:00-05:30', '2024-03-01T04:30:00Z'],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59.9Z', '9999-12-31T23:59:59Z'],
  ])('reads %s as %s (T12)', (text, kept) => {
    expect(formatDateTime(parseDateTime(text)!)).toBe(kept);
  });

  it.each([
    ['days and times that do not exist', ['02-30T08:30:00Z', '02-29T24:00:00Z', '02-29T08:60:00Z']],
    ['a leap second, and incomplete ones', ['02-29T08:30:60Z', '02-29T08:30Z', '02-29T08:30:00', '02-29']],
    ['other separators', ['02-29 08:30:00Z', '02-29t08:30:00z', '02-29T08:30:00,5Z', '02-29T08:30:00Z\n']],
    ['fractions of no or ten digits', ['02-29T08:30:00.Z', '02-29T08:30:00.1234567890Z']],
    ['other zones', ['02-29T08:30:00+0200', '02-29T08:30:00+24:00', '02-29T08:30:00+02:60']],
  ])('rejects %s (T12)', (_what, texts) => {
    expect(texts.filter((text) => parseDateTime(`2024-${text}`) !== undefined)).toEqual([]);
  });

  it('rejects nothing, and times in UTC outside the calendar (T12)', () => {
    const texts = ['', '0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'];
    expect(texts.filter((text) => parseDateTime(text) !== undefined)).toEqual([]);
  });

  it('reads back every date-time that it formats', () => {
    const whole = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 });
    fc.assert(
      fc.property(whole, (seconds) => {
        expect(parseDateTime(formatDateTime(seconds * 1_000))).toBe(seconds * 1_000);
      }),
    );
  });
});

describe('calendarDayIn', () => {
  it.each([
    ['UTC', '2026-01-31T23:59:59Z', '2026-01-31'],
    ['UTC', '2026-02-01T00:00:00Z', '2026-02-01'],
    ['Europe/Berlin', '2026-01-31T23:00:00Z', '2026-02-01'],
    ['Europe/Berlin', '2026-07-31T21:59:59Z', '2026-07-31'],
    ['Europe/Berlin', '2026-07-31T22:00:00Z', '2026-08-01'],
    ['America/New_York', '2026-01-01T04:59:59Z', '2025-12-31'],
    ['Pacific/Kiritimati', '2026-01-01T10:00:00Z', '2026-01-02'],
  ])('in %s %s is %s (S6)', (timeZone, dateTime, day) => {
    expect(calendarDayIn(timeZone, new Date(dateTime))).toBe(day);
  });
});
