/** How numbers, days and times are written on the pages (choice C7). */

const GROUPS_OF_THREE = /\B(?=(?:\d{3})+(?!\d))/g;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A whole number with its thousands grouped, for example `1,234,567`. */
export function formatCount(count: number): string {
  return Math.round(count).toString().replaceAll(GROUPS_OF_THREE, ',');
}

/**
 * An amount with two decimals and its thousands grouped, for example `-1,234.50`. It is formatted as text, so that no digit is lost.
 *
 * @param amount a decimal as PostgreSQL writes `numeric`, with at most two decimals
 */
export function formatMoney(amount: string): string {
  const [whole = '', decimals = ''] = amount.split('.');
  return `${whole.replaceAll(GROUPS_OF_THREE, ',')}.${decimals.padEnd(2, '0')}`;
}

/** @param day `YYYY-MM-DD` @returns for example `2 Nov 2026` */
export function formatDay(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return `${Number(date)} ${MONTHS[Number(month) - 1] ?? month} ${year}`;
}

/**
 * A part of a whole, in percent with one decimal. It is rounded down, so that only the whole is `100 %`.
 *
 * @param whole if 0, the result is `0 %`
 */
export function formatShare(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0 %';
  const tenths = Math.floor((part * 1_000) / whole);
  if (tenths === 0) return '< 0.1 %';
  return tenths >= 1_000 ? '100 %' : `${Math.floor(tenths / 10)}.${tenths % 10} %`;
}

/** Caches one formatter for each time zone, because they are expensive to make. */
export function formatterOf(
  locale: string,
  options: Intl.DateTimeFormatOptions,
): (timeZone: string) => Intl.DateTimeFormat {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (timeZone) => {
    const formatter = made.get(timeZone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
    made.set(timeZone, formatter);
    return formatter;
  };
}

const zonedDateTimes = formatterOf('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZoneName: 'short' },
});

/** A date-time in a time zone, with the zone, for example `2 Nov 2026, 14:20:05 GMT`. */
export function formatZonedDateTime(time: Date, timeZone: string): string {
  return zonedDateTimes(timeZone).format(time).replace('Sept', 'Sep');
}

/** A date-time to the minute: `3 Nov 2026, 14:20 GMT`. */
export function formatMinute(dateTime: Date, timeZone: string): string {
  return formatZonedDateTime(dateTime, timeZone).replace(/:\d\d (?=\S+$)/, ' ');
}

/** A length of time: `850 ms`, `1.2 s`, `2 min`. @param milliseconds not negative */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  return `${formatCount(milliseconds / 60_000)} min`;
}

const [SECOND, ...LONGER] = [
  ['second', 1_000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const;

/**
 * How long ago something was, or in how long it will be, in the largest unit of which it has at least two: `3 minutes ago`,
 * `in 2 hours`, `now`.
 */
export function formatAge(time: Date, now: Date): string {
  const age = now.getTime() - time.getTime();
  const length = Math.abs(age);
  if (length < 1_000) return 'now';
  const [unit, milliseconds] = LONGER.findLast(([, one]) => length >= 2 * one) ?? SECOND;
  const text = counted(Math.floor(length / milliseconds), unit);
  return age > 0 ? `${text} ago` : `in ${text}`;
}

/** With a capital letter at the beginning. */
export function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A count with the right form of its noun: `1 account`, `2,000 accounts`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : several}`;
}
