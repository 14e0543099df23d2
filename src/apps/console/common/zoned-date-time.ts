import { formatterOf } from './format.js';

const offsets = formatterOf('en', { timeZoneName: 'longOffset' });

/** Offset of a time zone from UTC at a time, in milliseconds. */
function offsetAt(milliseconds: number, timeZone: string): number {
  const parts = offsets(timeZone).formatToParts(milliseconds);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?$/.exec(name) ?? [];
  const length = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (sign === '-' ? -length : length) * 1_000;
}

/**
 * Convert the local time of a zone to a time. A local time that the clocks skip becomes later by the skipped time. One that
 * they show twice becomes either of the two.
 *
 * @param local `YYYY-MM-DDTHH:MM`, perhaps with seconds
 */
export function zonedDateTime(local: string, timeZone: string): Date {
  const wanted = Date.parse(`${local}Z`);
  const near = wanted - offsetAt(wanted, timeZone);
  return new Date(wanted - offsetAt(near, timeZone));
}
