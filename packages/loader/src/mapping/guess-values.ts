import { Amounts, NEGATIVE, numberToJson, type DecimalSign } from '@data-import/files';
import type { Evidence, Seen } from './column-forms.js';

/** Marks a part of a mapping that a person has to fill in. `load` refuses a mapping that contains it. */
export const OPEN = '?';

const DAY = /^(?:\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d{2})|\d{4}[-./]\d{1,2}[-./]\d{1,2})(?:[T ,].*)?$/;
const NAMED_DAY = /^\d{1,2}\.?[- ]?\p{L}{3,}\.?[-, ]+\d{2,4}$/u;
const TIME = /^\d{1,2}:\d{2}(?::\d{2})?$/;
const NUMBER = /^[^\p{L}\d]*\d[\d.,'\u2019 \u00a0\u202f]*[^\p{L}\d]*$/u;

/** The type of value that a text evidently is; undefined if it is unclear. */
export function classOf(text: string): 'day' | 'time' | 'whole number' | 'number' | undefined {
  const trimmed = text.trim();
  if (DAY.test(trimmed) || NAMED_DAY.test(trimmed)) return 'day';
  if (TIME.test(trimmed)) return 'time';
  if (/^[-+]?\d+$/.test(trimmed)) return 'whole number';
  return NUMBER.test(trimmed) ? 'number' : undefined;
}

/** Words of credits and of debits, in capitals. A credit reduces what the customer owes, a debit increases it. */
const SIGN_PAIRS: readonly (readonly string[])[] =
  'CR DR|C D|H S|HABEN SOLL|CREDIT DEBIT|CREDIT DEBET|CR\u00c9DIT D\u00c9BIT|CRDT DBIT|CR DB|BIJ AF|- +|\u2212 +'
    .split('|')
    .map((pair) => pair.split(' '));

const isOfPair = (words: readonly string[]) => (pair: readonly string[]) =>
  words.length > 0 && words.every((word) => pair.includes(word.trim().toUpperCase()));

/** The maximum number of different words in a column of signs. */
const SIGN_WORDS_MAX = 12;

/** For each word, the sign of an amount, or that it has to be filled in. */
export type SignWords = Readonly<Record<string, 1 | -1 | typeof OPEN>>;

/** The signs for the words of a column. All are open if the words are not a known pair. */
export function guessSign(words: readonly string[] | undefined): SignWords | typeof OPEN {
  if (!words || words.length > SIGN_WORDS_MAX || words.length === 0) return OPEN;
  const pair = SIGN_PAIRS.find(isOfPair(words));
  if (!pair) return Object.fromEntries(words.map((word) => [word.trim(), OPEN]));
  const isWritten = (sign: string): boolean => words.some((word) => word.trim().toUpperCase() === sign);
  const all = [...words.map((word) => word.trim()), ...pair.filter((sign) => !isWritten(sign))];
  return Object.fromEntries(all.map((word) => [word, word.toUpperCase() === pair[0] ? -1 : 1]));
}

/**
 * Whether a column contains both words of a known pair and nothing else. It may then be a column of signs, whatever its
 * name is.
 */
export function looksLikeSigns({ words }: Evidence): boolean {
  const different = new Set(words?.map((word) => word.trim().toUpperCase()));
  return different.size === 2 && SIGN_PAIRS.some(isOfPair([...different]));
}

/** Numbers that would have another value with another decimal sign. */
const COULD_BE_TWO = /^[1-9]\d{0,2}[.,]\d{3}$/;

/** Amounts that can be read only if both signs are named. */
export const HAS_THOUSANDS = /\d[.,]\d{3}(?!\d)/;

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

const NEGATIVE_FORMS = [/^[^\d(]*[-\u2212]/, /[-\u2212][^\d)]*$/, /\(.*\)/];

/** Whether a text is marked as negative in any form. */
export function isNegative(text: string): boolean {
  return NEGATIVE_FORMS.some((form) => form.test(text.trim()));
}

/** The words, signs and currencies next to the digits of amounts. */
interface Beside {
  readonly negative?: readonly (typeof NEGATIVE)[number][];
  readonly words?: SignWords;
  readonly currency?: readonly string[];
}

/** The form of amounts as a mapping writes it. */
export interface AmountForm extends Beside {
  readonly decimal?: DecimalSign | typeof OPEN;
  readonly thousands?: DecimalSign | typeof OPEN;
}

/**
 * The decimal sign that follows from the numbers: one that does not stand before exactly three digits, or that occurs
 * together with a thousands separator.
 *
 * @returns `?` if the numbers show both signs, or if a number has two readings and no number shows the sign; undefined
 * if no number needs one
 */
export function shownDecimal(
  samples: readonly Seen[],
  beside: Beside,
): DecimalSign | typeof OPEN | undefined {
  const words = Object.fromEntries(
    Object.entries(beside.words ?? {}).map(([word, sign]) => [word, sign === OPEN ? 1 : sign] as const),
  );
  const [point, comma] = (['.', ','] as const).map(
    (decimal) => new Amounts({ ...beside, words, decimal }, 'guess'),
  );
  const shown = new Set<DecimalSign>();
  let isOpen = false;
  for (const { text } of samples) {
    const number = /\d(?:.*\d)?/s.exec(text)?.[0] ?? '';
    if (COULD_BE_TWO.test(number)) isOpen = true;
    else {
      const [byPoint, byComma] = [point, comma].map((amounts) => typeof amounts?.read(text) === 'string');
      if (byPoint !== byComma) shown.add(byPoint ? '.' : ',');
    }
  }
  if (shown.size > 1) return OPEN;
  const [sign] = shown;
  return sign ?? (isOpen ? OPEN : undefined);
}

/** @returns undefined as the form if amounts need none, and the currencies that it does not read */
export function guessAmounts({ forms, isWhole }: Evidence): {
  readonly amount?: AmountForm;
  readonly otherCurrencies: readonly string[];
} {
  const samples = forms.filter(({ text, json }) => json !== 'number' && /\d/.test(text));
  if (samples.length === 0) return { otherCurrencies: [] };
  const { beside, otherCurrencies } = besideIn(samples);
  const decimal = isWhole ? shownDecimal(samples, beside) : OPEN;
  // A mapping that names the form of amounts rejects numbers that a spreadsheet has rounded. Such numbers therefore get
  // a form.
  const isPlain = samples.every(
    ({ text, json }) => json === undefined && numberToJson(text) !== undefined && !/e/i.test(text),
  );
  if (isPlain && decimal !== OPEN) return { otherCurrencies };
  const thousands = thousandsIn(samples, decimal);
  const signs: AmountForm = { ...(decimal && { decimal }), ...(thousands && { thousands }) };
  return { amount: { ...signs, ...beside }, otherCurrencies };
}

/**
 * The thousands separator to name for numbers such as 3.000, which could be two numbers. It is shown by a number that has
 * the decimal sign too, such as 1.250,00.
 */
function thousandsIn(
  samples: readonly Seen[],
  decimal: AmountForm['decimal'],
): DecimalSign | typeof OPEN | undefined {
  if (decimal === undefined) return undefined;
  const isWritten = (form: RegExp): boolean => samples.some(({ text }) => form.test(text));
  if (decimal === OPEN) return isWritten(HAS_THOUSANDS) ? OPEN : undefined;
  const thousands = decimal === ',' ? '.' : ',';
  const group = String.raw`[${thousands}]\d{3}`;
  if (!isWritten(new RegExp(String.raw`(?<![\d.,])[1-9]\d{0,2}${group}(?![\d.,])`))) return undefined;
  return isWritten(new RegExp(String.raw`\d${group}[${decimal}]`)) ? thousands : OPEN;
}

function besideIn(samples: readonly Seen[]): { beside: Beside; otherCurrencies: readonly string[] } {
  const negative = NEGATIVE.filter((_, index) =>
    samples.some(({ text }) => NEGATIVE_FORMS[index]?.test(text.trim())),
  );
  const counts = new Map<string, number>();
  for (const { text, count } of samples)
    for (const word of new Set(text.replaceAll(/\dE[+-]?\d/gi, '').match(/\p{L}+|\p{Sc}/gu)))
      counts.set(word, (counts.get(word) ?? 0) + count);
  const all = samples.reduce((sum, { count }) => sum + count, 0);
  // A word that only some of the amounts have may be a sign, such as CR for a credit, so it is not taken for a currency.
  const isCurrency = (word: string): boolean =>
    !/\p{L}/u.test(word) || CURRENCIES.has(word) || counts.get(word) === all;
  const known = [...counts.keys()];
  const signs = known.filter((word) => SIGN_PAIRS.some((pair) => isOfPair([word])(pair)));
  const currencies = known.filter((word) => !signs.includes(word) && isCurrency(word));
  const words = known.filter((word) => !currencies.includes(word));
  // Only the most frequent currency is read.
  const [currency, ...otherCurrencies] = currencies.sort(
    (one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0),
  );
  const guessed = words.length > 0 ? guessSign(words) : OPEN;
  const beside = {
    ...((negative.length > 1 || negative.some((form) => form !== '-1')) && { negative }),
    ...(guessed !== OPEN && { words: guessed }),
    ...(currency !== undefined && { currency: [currency] }),
  };
  return { beside, otherCurrencies };
}

const TRUE = ['true', 'y', 'yes', '1', 't', 'j', 'ja'];
const FALSE = ['false', 'n', 'no', '0', 'f', 'nein'];

/**
 * The meaning of the words in a column of booleans. `true` and `false` need no mapping in a table.
 *
 * @returns undefined if no word needs a mapping, or if a word is unknown
 */
export function guessBooleans(
  words: readonly string[],
  isJson: boolean,
): Record<string, boolean> | undefined {
  const others = words.filter((word) => isJson || !/^(?:true|false)$/i.test(word.trim()));
  const isOneOf = (known: readonly string[], word: string): boolean =>
    known.includes(word.trim().toLowerCase());
  const isKnown = others.every((word) => isOneOf([...TRUE, ...FALSE], word));
  if (others.length === 0 || !isKnown) return undefined;
  return Object.fromEntries(others.map((word) => [word, isOneOf(TRUE, word)]));
}

/** The most words that a proposal lists. A column with more different words is not a list of values. */
const CHOICES_LISTED = 40;

/** The value for each word of a column that is not a valid value itself; undefined if there are no such words, or too many. */
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
