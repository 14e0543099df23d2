import { WrongUsage } from '../common/errors.js';
import type { Reading } from './date-forms.js';
import { numberToJson, THOUSANDS, type DecimalSign } from './numbers.js';

/** How a negative amount is written: with a sign in front, behind, or in brackets. */
export const NEGATIVE = ['-1', '1-', '(1)'] as const;

/** How amounts are written in files (choice L11). */
export interface AmountOptions {
  /** Without it a point, and one before three digits is refused: it could separate thousands. */
  readonly decimal?: DecimalSign | undefined;
  /** What separates thousands. Without it that is recognised, and refused where it could be the decimal sign. */
  readonly thousands?: string | undefined;
  /** Without it a sign in front. */
  readonly negative?: readonly (typeof NEGATIVE)[number][] | undefined;
  /** By a word in front or behind, such as CR, the sign of the amount. Upper and lower case are the same. */
  readonly words?: Readonly<Record<string, 1 | -1>> | undefined;
  /** Signs or codes of the currency that may stand in front or behind; without it any one sign. */
  readonly currency?: readonly string[] | undefined;
}

/** The sign of a keyboard, and the one that printers have. */
const MINUS = '-\u2212';

const ANY_CURRENCY_SIGN = '\\p{Sc}';

/** Reads amounts without ever making a number of them: the only arithmetic is a sign. */
export class Amounts {
  private readonly decimal: DecimalSign | undefined;
  private readonly thousands: string | undefined;
  private readonly negative: ReadonlySet<string>;
  private readonly words: ReadonlyMap<string, number>;
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
    this.words = new Map(Object.entries(words).map(([word, sign]) => [word.toLowerCase(), sign]));
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

  /** @returns a JSON number with every digit that is written; what is no amount, or could be two, is refused */
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
      if (word === undefined) currencies += 1;
      else {
        sign = this.words.get(word.toLowerCase()) ?? 1;
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
    // No exponent: it is how a spreadsheet shows a number that it has rounded.
    const isPlain = /^[.,]?\d/.test(text) && !/\p{L}/u.test(text);
    const isNamed = (decimal ?? thousands) !== undefined;
    const number =
      isPlain && (isNamed || !isOpen) ? numberToJson(text, decimal ?? '.', thousands) : undefined;
    if (number !== undefined) return number;
    if (isOpen)
      return { problem: 'could be two numbers: name "decimal" or "thousands" in the mapping file.' };
    return {
      problem: `is no amount with the decimal sign "${decimal ?? '.'}" in the form that the mapping file names.`,
    };
  }
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** The number with the other sign. Zero has none. */
export function negated(json: string): string {
  if (json.startsWith('-')) return json.slice(1);
  return isZero(json) ? json : `-${json}`;
}

export function isZero(json: string): boolean {
  return !/[1-9]/.test(json.replace(/[eE].*/, ''));
}

/** The form in which a text says that it is negative, if it does so at an end. */
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
