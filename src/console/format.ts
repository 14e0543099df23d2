/** How numbers, days and moments are written on the pages (choice C7). */

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

const MOMENTS = new Map<string, Intl.DateTimeFormat>();

/** A moment in the platform's time zone, with the zone, for example `2 Nov 2026, 14:20:05 GMT`. */
export function formatMoment(moment: Date, timeZone: string): string {
  const formatter =
    MOMENTS.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      ...{ day: 'numeric', month: 'short', year: 'numeric' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZoneName: 'short' },
    });
  MOMENTS.set(timeZone, formatter);
  return formatter.format(moment).replace('Sept', 'Sep');
}
