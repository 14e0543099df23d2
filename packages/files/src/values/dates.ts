import { WrongUsage } from '../common/errors.js';
import { MonthNames } from './months.js';

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/**
 * The form in which the service stores date-times: UTC, whole seconds, `Z`.
 *
 * @returns undefined when the service would reject the text (choice T12)
 */
export function canonicalDateTime(text: string): string | undefined {
  const match = DATE_TIME.exec(text);
  if (!match || !isDay(match[1] ?? '')) return undefined;
  const milliseconds = Math.floor(Date.parse(text) / 1_000) * 1_000;
  if (milliseconds < EARLIEST || milliseconds > LATEST) return undefined;
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?$/;

/** Whether a text of the form `YYYY-MM-DD` is a calendar day. */
function isDay(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))];
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && text.length === 10)) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}

/** A day and a time of day, as written. */
export interface WrittenDate {
  /** The calendar day as `YYYY-MM-DD`. */
  readonly day: string;
  /** `HH:mm:ss`, with the fraction of a second as written; midnight when there is no time. */
  readonly time: string;
  /** The offset from UTC: `Z` or `+HH:MM`; undefined when none is written. */
  readonly offset: string | undefined;
}

interface Token {
  readonly group: string;
  readonly pattern: string;
  /** Set if the length varies. The next character must then not be a digit, or, after a name, not be a letter. */
  readonly varies?: 'digits' | 'letters';
}

/** Seconds with a fraction or without one. Programs such as PostgreSQL omit a fraction of zero. */
const WITH_FRACTION = '\\d{2}(?:[.,]\\d{1,9})?';

/** The tokens of patterns, longer tokens first. A month name has the pattern of its language. */
const TOKENS: readonly (readonly [string, Token])[] = [
  ['YYYY', { group: 'year', pattern: '\\d{4}' }],
  ['YY', { group: 'year', pattern: '\\d{2}' }],
  ['MMMM', { group: 'month', pattern: '', varies: 'letters' }],
  ['MMM', { group: 'month', pattern: '', varies: 'letters' }],
  ['MM', { group: 'month', pattern: '\\d{2}' }],
  ['M', { group: 'month', pattern: '\\d{1,2}', varies: 'digits' }],
  ['DD', { group: 'day', pattern: '\\d{2}' }],
  ['D', { group: 'day', pattern: '\\d{1,2}', varies: 'digits' }],
  ['HH', { group: 'hour', pattern: '\\d{2}' }],
  ['H', { group: 'hour', pattern: '\\d{1,2}', varies: 'digits' }],
  ['hh', { group: 'hour', pattern: '0[1-9]|1[0-2]' }],
  ['h', { group: 'hour', pattern: '0?[1-9]|1[0-2]', varies: 'digits' }],
  ['mm', { group: 'minute', pattern: '\\d{2}' }],
  ['ss.SSS', { group: 'second', pattern: WITH_FRACTION, varies: 'digits' }],
  ['ss,SSS', { group: 'second', pattern: WITH_FRACTION, varies: 'digits' }],
  ['ss', { group: 'second', pattern: '\\d{2}' }],
  ['SSS', { group: 'fraction', pattern: '\\d{1,9}', varies: 'digits' }],
  ['A', { group: 'half', pattern: '[AaPp]\\.?[Mm]\\.?' }],
  ['Z', { group: 'offset', pattern: 'Z|[+-]\\d{2}(?::?\\d{2})?' }],
];

const KNOWN_TOKENS = 'YYYY, YY, MMMM, MMM, MM, M, DD, D, HH, H, hh, h, mm, ss, SSS, A and Z';

/** Settings that a pattern cannot express. */
export interface PatternOptions {
  /** Language of `MMM` and `MMMM`, a tag such as `de`. */
  readonly language?: string | undefined;
  /** The first of the hundred years to which `YY` can refer. */
  readonly firstYear?: number | undefined;
}

/** A pattern from a mapping file for dates in files. */
export class DatePattern {
  /** Whether the dates that it reads contain an offset from UTC. */
  readonly hasOffset: boolean;
  private readonly shape: RegExp;
  private readonly months: MonthNames | undefined;
  private readonly firstYear: number | undefined;

  /**
   * @param text such as `DD/MM/YYYY`, `YYYYMMDD`, `D.M.YYYY HH:mm`: `M`, `D`, `H` and `h` have one digit or two, `MMM` and `MMMM`
   *   are names of months, long or short, `ss` also reads a fraction unless `SSS` (one of any length) stands elsewhere, `A` is AM or
   *   PM, `Z` an offset from UTC; everything that is no letter stands for itself, and so does `T`
   * @param place where the pattern stands, for the message
   * @throws WrongUsage when the pattern names no day, or could be read in two ways
   */
  constructor(
    readonly text: string,
    place: string,
    { language, firstYear }: PatternOptions = {},
  ) {
    const complain = (why: string): WrongUsage =>
      new WrongUsage(`${place}: the pattern ${JSON.stringify(text)} ${why}. It is made of ${KNOWN_TOKENS}.`);
    const found: Part[] = [];
    for (let at = 0; at < text.length; at += found.at(-1)?.name.length ?? 1) {
      const [name = text.charAt(at), token] =
        TOKENS.find(([candidate]) => text.startsWith(candidate, at)) ?? [];
      found.push({ name, token });
    }
    const why = faultOf(found);
    if (why !== undefined) throw complain(why);
    const names = found.map(({ name }) => name);
    if (names.includes('YY') && firstYear === undefined) {
      throw complain('has a year of two digits; say with "first_year" of which hundred years it is one');
    }
    if (names.includes('MMM') || names.includes('MMMM')) {
      if (language === undefined) throw complain('has a name of a month; say with "language" in which it is');
      this.months = new MonthNames(language, place);
    }
    this.firstYear = names.includes('YY') ? firstYear : undefined;
    this.hasOffset = names.includes('Z');
    const shape = found.map(({ name, token }, index) => {
      if (!token) return name.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
      const hasFraction = name === 'ss' && !names.includes('SSS') && !isDigits(found[index + 1]);
      const own = token.varies === 'letters' ? (this.months?.pattern ?? '') : token.pattern;
      return `(?<${token.group}>${hasFraction ? WITH_FRACTION : own})`;
    });
    this.shape = new RegExp(`^(?:${shape.join('')})$`, 'iu');
  }

  /** @returns the day, `YYYY-MM-DD`; undefined when the text has another form or is no day of the calendar */
  toDay(text: string): string | undefined {
    return this.read(text)?.day;
  }

  /** @returns undefined when the text has another form, or is no day and time */
  read(text: string): WrittenDate | undefined {
    const parts = this.shape.exec(text.trim())?.groups;
    if (!parts) return undefined;
    const month = this.months ? this.months.numberOf(parts.month ?? '') : parts.month;
    const two = (value: string | number | undefined): string => String(value ?? '0').padStart(2, '0');
    const day = `${this.yearOf(parts.year ?? '')}-${two(month)}-${two(parts.day)}`;
    const fraction = parts.fraction === undefined ? '' : `.${parts.fraction}`;
    const second = two(parts.second).replace(',', '.');
    const time = `${two(hourOf(parts))}:${two(parts.minute)}:${second}${fraction}`;
    const offset = parts.offset
      ?.toUpperCase()
      .replace(/^([+-]\d{2}):?(\d{2})?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`);
    const isReal =
      offset === undefined
        ? isDay(day) && TIME.test(time)
        : canonicalDateTime(`${day}T${time}${offset}`) !== undefined;
    return isReal ? { day, time, offset } : undefined;
  }

  private yearOf(text: string): string {
    const { firstYear } = this;
    if (firstYear === undefined) return text;
    const first = firstYear % 100;
    return String(firstYear + ((Number(text) - first + 100) % 100)).padStart(4, '0');
  }
}

/** The hour of the day (0 to 23), also for an hour with AM or PM. */
function hourOf({ hour, half }: Partial<Record<string, string>>): string | number | undefined {
  if (half === undefined) return hour;
  return (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0);
}

interface Part {
  readonly name: string;
  readonly token: Token | undefined;
}

/** Whether a part reads digits. */
function isDigits(part: Part | undefined): boolean {
  if (!part?.token) return /\d/.test(part?.name ?? '');
  return !['offset', 'half'].includes(part.token.group) && part.token.varies !== 'letters';
}

/** @returns the error in the parts of a pattern */
function faultOf(found: readonly Part[]): string | undefined {
  const seen = new Set<string>();
  let open: Token['varies'];
  for (const [index, part] of found.entries()) {
    const { name, token } = part;
    if (!token && name !== 'T' && /\p{L}/u.test(name)) return `has the letter ${name}`;
    if (!token && seen.has('hour') && /\d/.test(name) && /[-+\u2212]/.test(found[index - 1]?.name ?? ''))
      return 'has an offset from UTC as a text that stands for itself; write Z, which reads Z, +02, +0200 and +02:00';
    if (token && seen.has(token.group)) return `has the ${token.group} twice`;
    const goesOn = open === 'letters' ? name === 'T' || token?.group === 'half' : isDigits(part);
    if (open && goesOn) return `does not say where the part before ${name} ends`;
    if (token) seen.add(token.group);
    if (name.endsWith('SSS')) seen.add('fraction');
    open = token?.varies;
  }
  if (seen.has('day') && seen.has('month') && !seen.has('year'))
    return 'has days without a year, which could be of any; have the export write the year, or "join" the column that has it';
  if (!['year', 'month', 'day'].every((group) => seen.has(group))) return 'has no year, month and day';
  const time = ['hour', 'minute', 'second', 'fraction'].map((group) => seen.has(group));
  const isOpen = time.some((isThere, index) => isThere && !(time[index - 1] ?? true));
  if (isOpen || (seen.has('offset') && !seen.has('hour')))
    return 'has a part of a time without the larger one';
  const isOfTwelve = found.some(({ name }) => name === 'hh' || name === 'h');
  return isOfTwelve === seen.has('half') ? undefined : 'has one of hh or h, and A, without the other';
}
