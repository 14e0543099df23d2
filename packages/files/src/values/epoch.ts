import type { DateReader, Reading } from './date-forms.js';
import { canonicalDateTime } from './dates.js';
import type { Zone } from './zones.js';

/** Units in which times since 1970 are counted: seconds and milliseconds. */
export const EPOCHS = ['s', 'ms'] as const;

const UNITS = { s: 'seconds', ms: 'milliseconds' } as const;

/** The digits of a fraction may be those of nanoseconds at most. */
const FORMS = { s: /^(-?\d{1,13})(?:\.(\d{1,9}))?$/, ms: /^(-?\d{1,16})(?:\.(\d{1,6}))?$/ } as const;

/** Times as a number of seconds or milliseconds since the beginning of 1970 in UTC. */
export class Epoch implements DateReader {
  readonly hasSerials = false;

  /** @param zone the zone that decides the day; required for fields that are days */
  constructor(
    private readonly unit: (typeof EPOCHS)[number],
    private readonly zone?: Zone,
  ) {}

  toDateTime(text: string): Reading {
    const [, whole = '', fraction = ''] = FORMS[this.unit].exec(text.trim()) ?? [];
    const date = new Date(this.unit === 's' ? Number(whole) * 1_000 : Number(whole));
    // A fraction counts from the second before, so it is only read of times from 1970 on.
    if (whole === '' || (fraction !== '' && whole.startsWith('-')) || Number.isNaN(date.getTime()))
      return this.problem();
    const time = this.unit === 's' ? `${date.toISOString().slice(0, 19)}.` : date.toISOString().slice(0, 23);
    const written = `${time}${fraction}Z`.replace(/\.0*Z$/, 'Z');
    return canonicalDateTime(written) === undefined ? this.problem() : written;
  }

  toDay(text: string): Reading {
    const time = this.toDateTime(text);
    if (typeof time !== 'string') return time;
    return new Date(this.zone?.localOf(Date.parse(time)) ?? NaN).toISOString().slice(0, 10);
  }

  private problem(): Reading {
    return { problem: `is no number of ${UNITS[this.unit]} since 1970 in the years 1 to 9999.` };
  }
}
