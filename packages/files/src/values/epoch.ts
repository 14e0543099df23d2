import type { DateReader, Reading } from './date-forms.js';
import { canonicalDateTime } from './dates.js';
import type { Zone } from './zones.js';

/** Units in which times since 1970 are counted: seconds and milliseconds. */
export const EPOCHS = ['s', 'ms'] as const;

const UNITS = { s: 'seconds', ms: 'milliseconds' } as const;

const NANOSECONDS = { s: 1_000_000_000n, ms: 1_000_000n } as const;

/** The number of fraction digits that make up whole nanoseconds. */
const FRACTION_MAX = { s: 9, ms: 6 } as const;

const FORM = /^(-?)(\d{1,16})(?:\.(\d{1,9}))?$/;

/** Times as a number of seconds or milliseconds since the beginning of 1970 in UTC. */
export class Epoch implements DateReader {
  readonly hasSerials = false;

  /** @param zone the zone that decides the day; required for fields that are days */
  constructor(
    private readonly unit: (typeof EPOCHS)[number],
    private readonly zone?: Zone,
  ) {}

  toDateTime(text: string): Reading {
    const [, minus = '', whole = '', fraction = ''] = FORM.exec(text.trim()) ?? [];
    const digits = FRACTION_MAX[this.unit];
    if (whole === '' || fraction.length > digits) return this.problem();
    const size = BigInt(whole) * NANOSECONDS[this.unit] + BigInt(fraction.padEnd(digits, '0'));
    const instant = minus === '-' ? -size : size;
    const rest = ((instant % NANOSECONDS.s) + NANOSECONDS.s) % NANOSECONDS.s;
    const date = new Date(Number((instant - rest) / 1_000_000n));
    if (Number.isNaN(date.getTime())) return this.problem();
    const decimals = rest === 0n ? '' : `.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
    const written = `${date.toISOString().slice(0, 19)}${decimals}Z`;
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
