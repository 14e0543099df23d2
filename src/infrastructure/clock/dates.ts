const DATE_TIME =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Whether a text is an existing calendar day in the format `YYYY-MM-DD`, in the years 0001 to 9999.
 *
 * Source: specification 2.1 (4); choice T12.
 */
export function isCalendarDay(text: string): boolean {
  if (text.length !== DAY_LENGTH || text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN)
    return false;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

const DAY_LENGTH = 10;
const HYPHEN = 0x2d;

/** Parse ASCII digits. NaN if a character is not a digit. A loop, because every date passes through here. */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let index = from; index < to; index += 1) {
    const digit = text.charCodeAt(index) - 0x30;
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : NaN;
  }
  return number;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * Parse a date-time of a payload: `YYYY-MM-DDTHH:MM:SS`, an optional fraction of a second, and `Z` or a numeric offset.
 *
 * @returns milliseconds since 1970, truncated to whole seconds, the precision of the API; undefined if the text is not a
 * date-time or is outside the years 0001 to 9999 in UTC
 * Source: specification 2.1 (4); choice T12.
 */
export function parseDateTime(text: string): number | undefined {
  if (!DATE_TIME.test(text) || !isCalendarDay(text.slice(0, DAY_LENGTH))) return undefined;
  const milliseconds = Math.floor(Date.parse(text) / 1_000) * 1_000;
  return milliseconds >= EARLIEST && milliseconds <= LATEST ? milliseconds : undefined;
}

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/** Format a date-time for a response: UTC, whole seconds, `Z` (choice T12). */
export function formatDateTime(dateTime: Date | number): string {
  return `${new Date(dateTime).toISOString().slice(0, 19)}Z`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The calendar day `YYYY-MM-DD` of a date-time in a time zone. */
export function calendarDayIn(timeZone: string, dateTime: Date): string {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter.format(dateTime);
}
