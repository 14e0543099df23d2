import { WrongUsage } from '../common/errors.js';

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/**
 * The one form of a date-time that the service keeps: UTC, whole seconds, `Z`.
 *
 * @returns undefined when the service would refuse the text (choice T12)
 */
export function canonicalDateTime(text: string): string | undefined {
  const match = DATE_TIME.exec(text);
  if (!match || !isDay(match[1] ?? '')) return undefined;
  const milliseconds = Math.floor(Date.parse(text) / 1_000) * 1_000;
  if (milliseconds < EARLIEST || milliseconds > LATEST) return undefined;
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** Whether a text of the form `YYYY-MM-DD` is a day of the calendar. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !text.startsWith('0000') && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

interface Token {
  readonly group: string;
  readonly pattern: string;
  /** Whether the number of digits varies, so that a digit must not follow. */
  readonly varies?: boolean;
}

/** What a pattern is made of; longer tokens first. */
const TOKENS: readonly (readonly [string, Token])[] = [
  ['YYYY', { group: 'year', pattern: '\\d{4}' }],
  ['MM', { group: 'month', pattern: '\\d{2}' }],
  ['M', { group: 'month', pattern: '\\d{1,2}', varies: true }],
  ['DD', { group: 'day', pattern: '\\d{2}' }],
  ['D', { group: 'day', pattern: '\\d{1,2}', varies: true }],
  ['HH', { group: 'hour', pattern: '\\d{2}' }],
  ['H', { group: 'hour', pattern: '\\d{1,2}', varies: true }],
  ['mm', { group: 'minute', pattern: '\\d{2}' }],
  ['ss', { group: 'second', pattern: '\\d{2}' }],
  ['SSS', { group: 'fraction', pattern: '\\d{1,9}', varies: true }],
  ['Z', { group: 'offset', pattern: 'Z|[+-]\\d{2}:?\\d{2}' }],
];

const KNOWN_TOKENS = 'YYYY, MM, M, DD, D, HH, H, mm, ss, SSS and Z';

/** How dates are written in the files of a kind, from a mapping file. */
export class DatePattern {
  private readonly shape: RegExp;

  /**
   * @param text such as `DD/MM/YYYY`, `YYYYMMDD`, `D.M.YYYY HH:mm`: `M`, `D` and `H` have one digit or two, `SSS` is a
   *   fraction of a second of any length, `Z` an offset from UTC; everything that is no letter stands for itself, and so does
   *   `T`
   * @param place where the pattern stands, for the message
   * @throws WrongUsage when the pattern names no day, or could be read in two ways
   */
  constructor(
    readonly text: string,
    place: string,
  ) {
    const complain = (why: string): WrongUsage =>
      new WrongUsage(`${place}: the pattern ${JSON.stringify(text)} ${why}. It is made of ${KNOWN_TOKENS}.`);
    const seen = new Set<string>();
    let shape = '';
    let isOpen = false;
    for (let at = 0; at < text.length;) {
      const [name, token] = TOKENS.find(([candidate]) => text.startsWith(candidate, at)) ?? [];
      const character = text.charAt(at);
      if (!name && character !== 'T' && /\p{L}/u.test(character))
        throw complain(`has the letter ${character}`);
      if (token && seen.has(token.group)) throw complain(`has the ${token.group} twice`);
      if (isOpen && (token ? token.group !== 'offset' : /\d/.test(character))) {
        throw complain(`does not say where the number before ${name ?? character} ends`);
      }
      if (token) seen.add(token.group);
      shape += token
        ? `(?<${token.group}>${token.pattern})`
        : character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
      isOpen = token?.varies ?? false;
      at += name?.length ?? 1;
    }
    if (!['year', 'month', 'day'].every((group) => seen.has(group)))
      throw complain('has no year, month and day');
    const time = ['hour', 'minute', 'second', 'fraction'].map((group) => seen.has(group));
    if (time.some((isThere, index) => isThere && !(time[index - 1] ?? true))) {
      throw complain('has a part of a time without the larger one');
    }
    if (seen.has('offset') && !seen.has('hour')) throw complain('has an offset without a time');
    this.shape = new RegExp(`^(?:${shape})$`, 'u');
  }

  /** @returns the day, `YYYY-MM-DD`; undefined when the text has another form or is no day of the calendar */
  toDay(text: string): string | undefined {
    return this.read(text)?.day;
  }

  /** @returns a date-time of the service; in UTC where the text has no offset, at midnight where it has no time */
  toDateTime(text: string): string | undefined {
    return this.read(text)?.dateTime;
  }

  private read(text: string): { readonly day: string; readonly dateTime: string } | undefined {
    const parts = this.shape.exec(text.trim())?.groups;
    if (!parts) return undefined;
    const two = (name: string): string => (parts[name] ?? '0').padStart(2, '0');
    const day = `${parts.year ?? ''}-${two('month')}-${two('day')}`;
    const fraction = parts.fraction === undefined ? '' : `.${parts.fraction}`;
    const offset = (parts.offset ?? 'Z').replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2');
    const dateTime = `${day}T${two('hour')}:${two('minute')}:${two('second')}${fraction}${offset}`;
    return canonicalDateTime(dateTime) === undefined ? undefined : { day, dateTime };
  }
}
