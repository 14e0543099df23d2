import { DateForms } from '@data-import/files';
import { grouped } from '../common/grouped.js';
import type { Seen } from './column-forms.js';

const DAYS = (
  'YYYY-MM-DD DD/MM/YYYY MM/DD/YYYY DD.MM.YYYY D.M.YYYY D/M/YYYY M/D/YYYY DD-MM-YYYY MM-DD-YYYY YYYY/MM/DD YYYY.MM.DD YYYYMMDD ' +
  'DDMMYYYY DD/MM/YY MM/DD/YY DD.MM.YY D.M.YY D/M/YY M/D/YY DD-MM-YY YY-MM-DD YY.MM.DD YY/MM/DD DDMMYY YYMMDD'
).split(' ');
const NAMED_DAYS =
  'DD-MMM-YYYY|D-MMM-YYYY|D MMM YYYY|DD.MMM.YYYY|D. MMM YYYY|MMM D, YYYY|DD-MMM-YY|D-MMM-YY|D MMM YY'.split(
    '|',
  );
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'sv', 'da', 'cs', 'tr'];
const TIMES = 'HH:mm|HH:mm:ss|HH:mm:ss.SSS|HH:mm:ss,SSS|H:mm|H:mm:ss|h:mm A|h:mm:ss A'.split('|');
const ENDS = [
  '',
  ...[' ', 'T'].flatMap((between) =>
    ['', 'Z', ' Z'].flatMap((offset) => TIMES.map((time) => between + time + offset)),
  ),
];

/**
 * A two-digit year is read in the hundred years from 1970 here. When the file is loaded, the mapping has to name the
 * hundred years.
 */
const ANY_YEAR = 1970;

/** A form of dates that a guess chooses from. */
class Candidate {
  private forms: DateForms | undefined;

  constructor(
    readonly text: string,
    readonly language?: string,
  ) {}

  /** Whether a text is a day of the 20th or 21st century. Other days do not occur in customers' data. */
  reads(text: string): boolean {
    const { language } = this;
    this.forms ??= new DateForms([this.text], 'guess', { language, firstYear: ANY_YEAR });
    const day = this.forms.toDay(text);
    return typeof day === 'string' && /^(?:19|20)/.test(day);
  }
}

const SERIAL = new Candidate('excel');

let known: Map<string, Candidate[]> | undefined;

/** The known forms, by the shape of the texts that they may read. */
function candidatesByShape(): Map<string, Candidate[]> {
  const days = [
    ...DAYS.map((day) => [day] as const),
    ...LANGUAGES.flatMap((language) => NAMED_DAYS.map((day) => [day, language] as const)),
  ];
  const all = days.flatMap(([day, language]) => ENDS.map((time) => new Candidate(day + time, language)));
  const withoutMonth = (text: string): string => text.replace('MMM', '#').replaceAll(/[DMYHhmsS]+/g, '0');
  return grouped(all, ({ text }) => withoutMonth(text).replace(/#\.?/, '#'));
}

/** The forms that may read a text. The form of the service comes first, because it needs no mapping. */
function candidatesFor(text: string): readonly Candidate[] {
  known ??= candidatesByShape();
  const shape = text
    .replaceAll(/\p{L}{3,}\.?/gu, '#')
    .replace(/(?<=:\d{2}(?:[.,]\d+)? ?)(?:Z|[+-]\d{2}(?::?\d{2})?)$/, 'Z')
    .replace(/[ap]\.?m\.?$/i, 'A')
    .replaceAll(/\d+/g, '0');
  const serials = LIKELY_SERIAL.test(text) ? [SERIAL] : [];
  return [...serials, ...(known.get(shape) ?? [])];
}

const OF_THE_SERVICE = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/,
};

/** Days of Excel between 1982 and 2064. */
const LIKELY_SERIAL = /^[345]\d{4}(?:\.\d+)?$/;

/** Seconds and milliseconds between 1973 and 2065. */
const EPOCHS = [
  ['s', /^[12]?\d{9}$/],
  ['ms', /^[12]?\d{12}$/],
] as const;

/** The number of a column's most frequent forms among which a date must be found. */
const TRIED_FORMS = 50;

export interface DatePatternGuess {
  readonly pattern: string;
  /** Forms that would read other days in all values that this one reads. */
  readonly others: readonly string[];
  readonly example: string;
}

/** The form in which days or times are written. */
export interface DateGuess {
  /** One form, or several if all of them are needed; none if no known form fits. */
  readonly patterns: readonly DatePatternGuess[];
  readonly language: string | undefined;
  readonly epoch?: 's' | 'ms';
}

/** @returns undefined if all values have the form of the service; no patterns if no known form fits */
export function guessDates(seen: readonly Seen[], type: 'date' | 'date-time'): DateGuess | undefined {
  const samples = seen.map((one) => ({ ...one, text: one.text.trim() })).filter(({ text }) => text !== '');
  const left = samples.filter(({ text }) => !OF_THE_SERVICE[type].test(text));
  if (left.length === 0) return undefined;
  const [epoch] = EPOCHS.find(([, form]) => samples.every(({ text }) => form.test(text))) ?? [];
  if (epoch) return { patterns: [], language: undefined, epoch };
  const patterns: DatePatternGuess[] = [];
  let language: string | undefined;
  for (let rest = samples; rest.length > 0;) {
    const found = bestOf(rest, language);
    if (!found) break;
    const read = rest.filter(({ text }) => found.reads(text));
    patterns.push({
      pattern: found.text,
      others: othersThan(found, read),
      example: read[0]?.text ?? '',
    });
    language ??= found.language;
    rest = rest.filter((sample) => !read.includes(sample));
  }
  return { patterns, language };
}

/** The form that reads most values, among those that read the most frequent one. If several do, the first of them. */
function bestOf(samples: readonly Seen[], language: string | undefined): Candidate | undefined {
  const isPossible = (candidate: Candidate): boolean =>
    language === undefined || candidate.language === undefined || candidate.language === language;
  const countOf = (candidate: Candidate): number =>
    samples.reduce((sum, { text, count }) => sum + (candidate.reads(text) ? count : 0), 0);
  for (const { text } of samples.toSorted((one, other) => other.count - one.count).slice(0, TRIED_FORMS)) {
    const [best] = candidatesFor(text)
      .filter((candidate) => isPossible(candidate) && candidate.reads(text))
      .map((candidate) => ({ candidate, count: countOf(candidate) }))
      .sort((one, other) => other.count - one.count);
    if (best) return best.candidate;
  }
  return undefined;
}

/** The other forms that read all values which the chosen form reads, but as different days. */
function othersThan(chosen: Candidate, read: readonly Seen[]): string[] {
  const found = new Map<string, string>();
  for (const candidate of candidatesFor(read[0]?.text ?? '')) {
    const order = orderOf(candidate);
    if (order === orderOf(chosen) || found.has(order)) continue;
    if (read.every(({ text }) => candidate.reads(text))) found.set(order, candidate.text);
  }
  return [...found.values()];
}

/** The order of day, month and year. Two forms with the same order read the same days. */
function orderOf({ text }: Candidate): string {
  return text === SERIAL.text ? text : text.replaceAll(/[^DMY]/g, '').replaceAll(/(.)\1+/g, '$1');
}
