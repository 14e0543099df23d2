import { readSerial } from './excel-days.js';
import { WrongUsage } from '../common/errors.js';
import { DatePattern, type PatternOptions, type WrittenDate } from './dates.js';
import type { Ambiguous, Zone } from './zones.js';

/** A value in the form of the service, or why the text cannot be read. */
export type Reading = string | { readonly problem: string };

/** Among the patterns, this means a number of days since the end of 1899, as Excel stores days. */
const EXCEL = 'excel';

/** One way in which dates are written. */
interface DateForm {
  readonly text: string;
  readonly hasOffset: boolean;
  read(text: string): WrittenDate | undefined;
}

const EXCEL_FORM: DateForm = { text: EXCEL, hasOffset: false, read: readExcel };

/** Size of the cache of days. A file has few different days, and parsing one takes longer than all other work on a cell. */
const DAYS_MAX = 10_000;

/** Reads the dates of a field. */
export interface DateReader {
  /** Whether Excel's number of days is one of the forms. */
  readonly hasSerials: boolean;
  readonly toDay: (text: string) => Reading;
  readonly toDateTime: (text: string, zone?: Zone, ambiguous?: Ambiguous) => Reading;
}

/**
 * The forms in which the dates of a field are written. A date may have any of the forms, but they must not contradict
 * each other.
 */
export class DateForms implements DateReader {
  private readonly forms: readonly DateForm[];
  private readonly days = new Map<string, Reading>();

  /**
   * @param texts patterns ({@link DatePattern}), or `excel`
   * @throws WrongUsage
   */
  constructor(texts: readonly string[], place: string, options: PatternOptions = {}) {
    if (texts.length === 0) throw new WrongUsage(`${place} must name a form.`);
    this.forms = texts.map((text) => (text === EXCEL ? EXCEL_FORM : new DatePattern(text, place, options)));
  }

  get hasSerials(): boolean {
    return this.forms.includes(EXCEL_FORM);
  }

  /** The forms whose times have no offset. */
  get withoutOffset(): readonly string[] {
    return this.forms.filter(({ hasOffset }) => !hasOffset).map(({ text }) => text);
  }

  toDay(text: string): Reading {
    const known = this.days.get(text);
    if (known !== undefined) return known;
    const days = this.read(text).map(({ day }) => day);
    const read = this.only(days, 'day');
    if (this.days.size >= DAYS_MAX) this.days.clear();
    this.days.set(text, read);
    return read;
  }

  /**
   * @param zone the zone of times without an offset; without it such times are rejected (choice L16)
   * @param ambiguous the instant to choose when the clocks show a time twice; without it such a time is rejected
   * @returns a date-time in the form of the service
   */
  toDateTime(text: string, zone?: Zone, ambiguous?: Ambiguous): Reading {
    const readings = this.read(text).map((written) => dateTimeOf(written, zone, ambiguous));
    const problem = readings.find((reading) => typeof reading !== 'string');
    return problem ?? this.only(readings as string[], 'time');
  }

  private only(values: readonly string[], what: 'day' | 'time'): Reading {
    const [first, ...others] = new Set(values);
    if (others.length > 0) return { problem: `could be two ${what}s.` };
    if (first !== undefined) return first;
    const forms = this.forms.map((form) => form.text).join(' or ');
    return { problem: `is no ${what} in the form ${forms}, which the mapping file names.` };
  }

  private read(text: string): WrittenDate[] {
    return this.forms.map((form) => form.read(text)).filter((written) => written !== undefined);
  }
}

function dateTimeOf(
  { day, time, offset }: WrittenDate,
  zone: Zone | undefined,
  ambiguous: Ambiguous | undefined,
): Reading {
  if (offset !== undefined) return `${day}T${time}${offset}`;
  if (zone === undefined) {
    return { problem: 'is a time without an offset from UTC; name its "timezone" in the mapping file.' };
  }
  const instants = zone.instantsOf(Date.parse(`${day}T${time.slice(0, 8)}Z`));
  if (instants.length === 0) {
    return { problem: `is a time that does not exist: the clocks of ${zone.name} went forward over it.` };
  }
  if (instants.length > 1 && ambiguous === undefined) {
    return {
      problem: `is a time that the clocks of ${zone.name} showed twice; set "ambiguous" to "earlier" or "later" in the mapping file.`,
    };
  }
  const instant = ambiguous === 'later' ? instants.at(-1) : instants[0];
  return `${new Date(instant ?? 0).toISOString().slice(0, 19)}${time.slice(8)}Z`;
}

function readExcel(text: string): WrittenDate | undefined {
  const read = readSerial(text);
  return read && { ...read, offset: undefined };
}
