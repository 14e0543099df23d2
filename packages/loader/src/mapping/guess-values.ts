import { Amounts, DateForms, NEGATIVE, numberToJson, type AmountOptions } from '@data-import/files';

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
const NAMED_DAYS = ['DD-MMM-YYYY', 'D-MMM-YYYY', 'D MMM YYYY', 'DD.MMM.YYYY', 'D. MMM YYYY', 'MMM D, YYYY'];
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'sv', 'da', 'cs', 'tr'];
const TIMES = [
  '',
  ' HH:mm',
  ' HH:mm:ss',
  ' HH:mm:ss.SSS',
  ' H:mm',
  ' h:mm A',
  'THH:mm',
  'THH:mm:ss',
  'THH:mm:ss.SSS',
] as const;

/** A form of dates that a guess chooses from. */
interface Candidate {
  readonly text: string;
  readonly language: string | undefined;
  readonly forms: DateForms;
}

function candidates(days: readonly string[], languages: readonly (string | undefined)[]): Candidate[] {
  return languages.flatMap((language) =>
    days.flatMap((day) =>
      TIMES.map((time) => {
        const text = `${day}${time}`;
        return { text, language, forms: new DateForms([text], 'guess', { language }) };
      }),
    ),
  );
}

/** The form of the service comes first, and needs no mapping. */
const NUMBERED = candidates(['YYYY-MM-DD', ...DAYS], [undefined]);
const SERIAL: Candidate = { text: 'excel', language: undefined, forms: new DateForms(['excel'], 'guess') };
let named: readonly Candidate[] | undefined;

const OF_THE_SERVICE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Days of Excel between 1982 and 2064. */
const LIKELY_SERIAL = /^[345]\d{4}(?:\.\d+)?$/;

/** A guess, and what else would fit. */
export interface DateGuess {
  /** One form, or several that are all needed. */
  readonly patterns: readonly string[];
  readonly language: string | undefined;
  readonly others: readonly string[];
}

/**
 * The forms of dates.
 *
 * @param samples values of a date column
 * @returns undefined when they have the form of the service or none that is known
 */
export function guessDates(samples: readonly string[]): DateGuess | undefined {
  const left = samples.filter((sample) => !OF_THE_SERVICE.test(sample));
  if (left.length === 0) return undefined;
  const known = [
    ...(left.some((sample) => LIKELY_SERIAL.test(sample)) ? [SERIAL] : []),
    ...NUMBERED,
    ...(left.some((sample) => /\p{L}{3}/u.test(sample)) ? (named ??= candidates(NAMED_DAYS, LANGUAGES)) : []),
  ];
  const chosen: Candidate[] = [];
  for (let rest = samples; rest.length > 0 && chosen.length < 3;) {
    const found = bestOf(known, rest, chosen[0]?.language);
    if (!found) break;
    chosen.push(found);
    rest = rest.filter((sample) => typeof found.forms.toDay(sample) !== 'string');
  }
  if (chosen.length === 0) return undefined;
  const language = chosen.find((one) => one.language !== undefined)?.language;
  return { patterns: chosen.map(({ text }) => text), language, others: othersThan(chosen, known, samples) };
}

/** The form that reads most; of several the first. */
function bestOf(
  known: readonly Candidate[],
  samples: readonly string[],
  language: string | undefined,
): Candidate | undefined {
  let best: { candidate: Candidate; count: number } | undefined;
  for (const candidate of known) {
    if (language !== undefined && candidate.language !== undefined && candidate.language !== language)
      continue;
    const count = samples.filter((sample) => typeof candidate.forms.toDay(sample) === 'string').length;
    if (count > (best?.count ?? 0)) best = { candidate, count };
  }
  return best?.candidate;
}

/** Where one form reads all samples: the others that do and read other days. */
function othersThan(
  chosen: readonly Candidate[],
  known: readonly Candidate[],
  samples: readonly string[],
): string[] {
  const [first, ...more] = chosen;
  if (!first || more.length > 0) return [];
  const days = ({ forms }: Candidate): string[] =>
    samples.map((sample) => forms.toDay(sample)).filter((day) => typeof day === 'string');
  const read = new Set([days(first).join()]);
  return known
    .filter((candidate) => {
      const found = days(candidate);
      return found.length === samples.length && !read.has(found.join()) && read.add(found.join());
    })
    .map(({ text }) => text);
}

const WORD_PAIRS = [
  { CR: -1, DR: 1 },
  { C: -1, D: 1 },
  { H: -1, S: 1 },
] as const;

/** What the words of a column say of the sign of an amount; undefined when there is none or one that is not known. */
export function guessSign(samples: readonly string[]): Readonly<Record<string, 1 | -1>> | undefined {
  const words = new Set(samples.map((sample) => sample.trim().toUpperCase()));
  if (words.size === 0) return undefined;
  return WORD_PAIRS.find((pair) => [...words].every((word) => Object.hasOwn(pair, word)));
}

/** The form of amounts as a mapping file says it; undefined when they need none. */
export function guessAmounts(samples: readonly string[]): AmountOptions | undefined {
  if (samples.every((sample) => numberToJson(sample) !== undefined)) return undefined;
  const trimmed = samples.map((sample) => sample.trim()).filter((sample) => /\d/.test(sample));
  const forms = [/^[^\d(]*[-\u2212]/, /[-\u2212][^\d)]*$/, /\(.*\)/];
  const negative = NEGATIVE.filter((_, index) => trimmed.some((sample) => forms[index]?.test(sample)));
  const letters = [...new Set(trimmed.flatMap((sample) => sample.match(/\p{L}+/gu) ?? []))];
  const words = guessSign(letters.filter((word) => word.length < 3));
  const codes = letters.filter((word) => word.length >= 3);
  const currency = [...new Set([...trimmed.flatMap((sample) => sample.match(/\p{Sc}/gu) ?? []), ...codes])];
  const beside = {
    ...((negative.length > 1 || negative.some((form) => form !== '-1')) && { negative }),
    ...(words && { words }),
    ...(currency.length > 0 && { currency }),
  };
  const fits = (decimal: '.' | ','): number => {
    const amounts = new Amounts({ decimal, ...beside }, 'guess');
    return trimmed.filter((sample) => typeof amounts.read(sample) === 'string').length;
  };
  return { decimal: fits(',') > fits('.') ? ',' : '.', ...beside };
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

/** Stands for what has to be filled in; `load` refuses it. */
export const OPEN = '?';

/** Words that a proposal lists. A column with more of them holds something else. */
const CHOICES_LISTED = 40;

/** By word of a column what it means; undefined when each is one of the values already. */
export function guessChoices(
  samples: readonly string[],
  choices: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const words = [...new Set(samples)].filter((word) => word !== '' && !choices.includes(word));
  if (words.length === 0 || words.length > CHOICES_LISTED) return undefined;
  const asChoice = (word: string): string =>
    word
      .trim()
      .toUpperCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '_');
  return Object.fromEntries(
    words.map((word) => [word, choices.find((choice) => choice === asChoice(word)) ?? OPEN]),
  );
}
