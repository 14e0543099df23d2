import { DatePattern } from '../rows/dates.js';
import { numberToJson, type DecimalSign } from '../rows/numbers.js';

const DAYS = [
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD.MM.YYYY',
  'D.M.YYYY',
  'D/M/YYYY',
  'M/D/YYYY',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'YYYY/MM/DD',
  'YYYY.MM.DD',
  'YYYYMMDD',
  'DDMMYYYY',
] as const;
const TIMES = [
  '',
  ' HH:mm',
  ' HH:mm:ss',
  ' HH:mm:ss.SSS',
  ' H:mm',
  'THH:mm',
  'THH:mm:ss',
  'THH:mm:ss.SSS',
] as const;

/** The forms that a guess chooses from; those of the service come first and need no mapping. */
const PATTERNS: readonly DatePattern[] = ['YYYY-MM-DD', ...DAYS].flatMap((days) =>
  TIMES.map((time) => new DatePattern(`${days}${time}`, 'guess')),
);

const OF_THE_SERVICE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** A guess, and what else would fit. */
export interface DateGuess {
  readonly pattern: string;
  readonly others: readonly string[];
}

/**
 * The form of dates.
 *
 * @param samples values of date columns
 * @returns undefined when they have the form of the service or none that is known
 */
export function guessDates(samples: readonly string[]): DateGuess | undefined {
  if (samples.length === 0 || samples.every((sample) => OF_THE_SERVICE.test(sample))) return undefined;
  const fitting = PATTERNS.filter((pattern) =>
    samples.every((sample) => pattern.toDay(sample) !== undefined),
  );
  const [first, ...others] = fitting;
  if (!first) return undefined;
  // Patterns that read every sample as the same days differ in nothing that was seen.
  const days = (pattern: DatePattern): string => samples.map((sample) => pattern.toDay(sample)).join();
  const read = new Set([days(first)]);
  const different = others.filter((pattern) => !read.has(days(pattern)) && read.add(days(pattern)));
  return { pattern: first.text, others: different.map(({ text }) => text) };
}

/** The decimal sign of numbers; undefined when they need none. */
export function guessDecimals(samples: readonly string[]): DecimalSign | undefined {
  if (samples.every((sample) => numberToJson(sample) !== undefined)) return undefined;
  const fits = (sign: DecimalSign): number =>
    samples.filter((sample) => numberToJson(sample, sign) !== undefined).length;
  return fits(',') >= fits('.') ? ',' : '.';
}

const WORDS: readonly (readonly [string, boolean])[] = [
  ['y', true],
  ['yes', true],
  ['1', true],
  ['t', true],
  ['j', true],
  ['ja', true],
  ['n', false],
  ['no', false],
  ['0', false],
  ['f', false],
  ['nein', false],
];

/** What words other than true and false mean; undefined when there are none, or one that is not known. */
export function guessBooleans(samples: readonly string[]): Record<string, boolean> | undefined {
  const others = samples.filter((sample) => !/^(?:true|false)$/i.test(sample.trim()));
  const found = others.map((sample) => [sample, new Map(WORDS).get(sample.trim().toLowerCase())] as const);
  if (found.length === 0 || found.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(found.map(([sample, value]) => [sample, value ?? false]));
}
