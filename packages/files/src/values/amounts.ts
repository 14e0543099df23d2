import { WrongUsage } from '../common/errors.js';
import type { Reading } from './date-forms.js';
import { numberToJson, THOUSANDS, type DecimalSign } from './numbers.js';

/** The ways to write a negative amount: with a leading sign, with a trailing sign, or in brackets. */
export const NEGATIVE = ['-1', '1-', '(1)'] as const;

/**
 * The possible meanings of a minus in a column of debits or credits. `sign` repeats the direction of the column,
 * `reversal` reverses it.
 */
export const MINUS_MEANINGS = ['sign', 'reversal'] as const;

/** The form of the amounts in a file (choice L11). */
export interface AmountOptions {
  /** Defaults to a point. A point before three digits is then rejected, because it could separate thousands. */
  readonly decimal?: DecimalSign | undefined;
  /** The thousands separator. Without it the separator is recognised, and rejected where it could be the decimal sign. */
  readonly thousands?: string | undefined;
  /** Defaults to a leading sign. */
  readonly negative?: readonly (typeof NEGATIVE)[number][] | undefined;
  /** The words that give an amount its sign, such as CR, before or after it. Case does not matter. */
  readonly words?: Readonly<Record<string, number>> | undefined;
  /** The currency signs or codes that may stand before or after an amount. By default any single sign may. */
  readonly currency?: readonly string[] | undefined;
}

/** The hyphen of keyboards, and the typographic minus. */
const MINUS = '-\u2212';

const ANY_CURRENCY_SIGN = '\\p{Sc}';

/** Reads amounts as texts, never as numbers. The only arithmetic is negation. */
export class Amounts {
  private readonly decimal: DecimalSign | undefined;
  private readonly thousands: string | undefined;
  private readonly negative: ReadonlySet<string>;
  private readonly words: SignWords;
  private readonly first: RegExp;
  private readonly last: RegExp;

  /** @throws WrongUsage */
  constructor({ decimal, thousands, negative = ['-1'], words = {}, currency }: AmountOptions, place: string) {
    this.decimal = decimal;
    this.thousands = thousands;
    if (thousands !== undefined && (thousands === (decimal ?? '.') || !THOUSANDS.includes(thousands)))
      throw new WrongUsage(
        `${place}.thousands must be a point, a comma, a space or an apostrophe, and not the decimal sign.`,
      );
    this.negative = new Set(negative);
    this.words = signWords(words, `${place}.words`);
    for (const word of [...this.words.keys(), ...(currency ?? [])]) {
      if (word.trim() !== word || word === '' || /[\d()+.,'\u2019\u2212-]/.test(word))
        throw new WrongUsage(`${place}: ${JSON.stringify(word)} cannot stand beside an amount.`);
    }
    const named = [
      ['word', alternatives([...this.words.keys()])],
      ['currency', currency ? alternatives(currency) : ANY_CURRENCY_SIGN],
    ].filter(([, pattern]) => pattern !== '');
    const mark = named.map(([name = '', pattern = '']) => `(?<${name}>${pattern})`).join('|');
    this.first = new RegExp(`^(?:${mark})`, 'iu');
    this.last = new RegExp(`(?:${mark})$`, 'iu');
  }

  /**
   * @returns a JSON number with every written digit. A text that is not an amount, or that could be two different
   * amounts, is rejected
   */
  read(text: string): Reading {
    let [sign, signs, currencies] = [1, 0, 0];
    let rest = text.trim();
    while (!isDigit(rest, 0) || !isDigit(rest, rest.length - 1)) {
      const form = negativeFormOf(rest);
      if (form !== undefined && !this.negative.has(form)) return unlisted(form);
      const isPlus = rest.startsWith('+') || rest.endsWith('+');
      if (form !== undefined || isPlus) {
        if (form !== undefined) sign = -1;
        signs += 1;
        const isFirst = form === '-1' || (form === undefined && rest.startsWith('+'));
        rest = rest.slice(isFirst || form === '(1)' ? 1 : 0, isFirst ? undefined : -1).trim();
        continue;
      }
      const first = this.first.exec(rest);
      const found = first ?? this.last.exec(rest);
      if (!found) break;
      const word = found.groups?.word;
      const by = this.words.get(word?.toLowerCase() ?? '');
      if (word === undefined) currencies += 1;
      else if (by === undefined) break;
      else {
        sign = by;
        signs += 1;
      }
      rest = (first ? rest.slice(found[0].length) : rest.slice(0, -found[0].length)).trim();
    }
    if (signs > 1) return { problem: 'has more than one sign.' };
    if (currencies > 1) return { problem: 'has more than one sign of a currency.' };
    const number = this.unsigned(rest);
    return typeof number === 'string' && sign === -1 ? negated(number) : number;
  }

  private unsigned(text: string): Reading {
    const { decimal, thousands } = this;
    const isOpen = /^[1-9]\d{0,2}[.,]\d{3}$/.test(text);
    // Exponents are rejected: spreadsheets use them for numbers that they have rounded.
    const isPlain = /^[.,]?\d/.test(text) && !/\p{L}/u.test(text);
    const isNamed = (decimal ?? thousands) !== undefined;
    const number =
      isPlain && (isNamed || !isOpen) ? numberToJson(text, decimal ?? '.', thousands) : undefined;
    if (number !== undefined) return number;
    if (isOpen) {
      const missing = decimal === undefined ? '"decimal" or "thousands"' : '"thousands" beside "decimal"';
      return { problem: `could be two numbers: name ${missing} in the mapping file.` };
    }
    return {
      problem: `is no amount with the decimal sign "${decimal ?? '.'}" in the form that the mapping file names.`,
    };
  }
}

/** The signs of words, which are in lower case. */
export type SignWords = ReadonlyMap<string, number>;

/** @throws WrongUsage if two words differ only in case */
export function signWords(words: Readonly<Record<string, number>>, place: string): SignWords {
  const signs = new Map<string, number>();
  for (const [word, sign] of Object.entries(words)) {
    if ((signs.get(word.toLowerCase()) ?? sign) !== sign)
      throw new WrongUsage(`${place}.${word}: upper and lower case are the same, so it has two signs.`);
    signs.set(word.toLowerCase(), sign);
  }
  return signs;
}

/**
 * A number divided by a power of ten. Every written digit is kept.
 *
 * @param json a JSON number
 */
export function scaled(json: string, places: number): string {
  const [, minus = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(json) ?? [];
  if (exponent !== undefined) return json.replace(/[eE].*/, `e${BigInt(exponent) - BigInt(places)}`);
  const digits = whole.padStart(places + 1, '0');
  return `${minus}${digits.slice(0, -places)}.${digits.slice(-places)}${fraction}`;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** The number with the opposite sign. Zero has no sign. */
export function negated(json: string): string {
  if (json.startsWith('-')) return json.slice(1);
  return isZero(json) ? json : `-${json}`;
}

export function isZero(json: string): boolean {
  return !/[1-9]/.test(json.replace(/[eE].*/, ''));
}

/** The form in which a text is marked as negative, if it is marked at either end. */
function negativeFormOf(text: string): (typeof NEGATIVE)[number] | undefined {
  if (MINUS.includes(text.charAt(0)) && text !== '') return '-1';
  if (MINUS.includes(text.charAt(text.length - 1)) && text !== '') return '1-';
  return text.startsWith('(') && text.endsWith(')') ? '(1)' : undefined;
}

function unlisted(form: string): Reading {
  return { problem: `is negative in the form ${form}, which "negative" in the mapping file does not list.` };
}

function alternatives(words: readonly string[]): string {
  const escaped = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return escaped.sort((one, other) => other.length - one.length).join('|');
}
