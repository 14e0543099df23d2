const MOMENT =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Whether a text is a real calendar day in the form `YYYY-MM-DD`; years 0001 to 9999.
 *
 * Source: specification 2.1 (4); contract T12.
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

/** The number that some ASCII digits of a text write, NaN when one of them is none. Every date of a load passes here. */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - 0x30;
    number = digit >= 0 && digit <= 9 ? number * 10 + digit : NaN;
  }
  return number;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * Read a datetime of a payload: `YYYY-MM-DDTHH:MM:SS`, optional fraction of a second, `Z` or a numeric offset.
 *
 * @returns the moment in milliseconds since 1970, cut to the whole second (the finest the interface knows), or undefined
 *   when the text is no such datetime or its moment lies outside the years 0001 to 9999 in UTC
 * Source: specification 2.1 (4); contract T12.
 */
export function parseDateTime(text: string): number | undefined {
  if (!MOMENT.test(text) || !isCalendarDay(text.slice(0, DAY_LENGTH))) return undefined;
  const milliseconds = Math.floor(Date.parse(text) / 1_000) * 1_000;
  return milliseconds >= EARLIEST && milliseconds <= LATEST ? milliseconds : undefined;
}

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/** A moment as answers carry it: UTC, whole seconds, `Z` (contract T12). */
export function formatDateTime(moment: Date | number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The calendar day `YYYY-MM-DD` that a moment falls on in a time zone. */
export function calendarDayIn(timeZone: string, moment: Date): string {
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
  return formatter.format(moment);
}
