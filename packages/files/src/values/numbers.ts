/** The decimal separator of a mapping file (choice L11). */
export type DecimalSign = '.' | ',';

/** A number as JSON writes it. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number as other programs may write it: with a plus sign, leading zeros or no digit before the point. */
const PLAIN_NUMBER = /^([+-]?)0*(\d*)(?:\.(\d+))?$/;

const SPACES = [' ', '\u00A0', '\u202F'];
const APOSTROPHES = ["'", '\u2019'];

/** A space of any kind and an apostrophe separate thousands and nothing else. */
const CLEAR_SEPARATORS = [...SPACES, ...APOSTROPHES];

/** The thousands separators that a mapping file may name. A space or an apostrophe stands for all of its kind. */
export const THOUSANDS = ['.', ',', ' ', "'"];

/**
 * Write the number of a cell as JSON, with all of its digits.
 *
 * @param sign the decimal separator, if the mapping file names one; thousands may then be separated too
 * @param thousands the thousands separator, if the mapping file names it, one of {@link THOUSANDS}
 * @returns undefined if the text is not a number, or could be two: with a decimal comma `1.234` is 1234 to one program
 * and 1.234 to another
 */
export function numberToJson(text: string, sign?: DecimalSign, thousands?: string): string | undefined {
  const trimmed = text.trim();
  if (sign === undefined) return plainNumber(trimmed);
  const [whole = '', ...decimals] = trimmed.split(sign);
  if (decimals.length > 1) return undefined;
  const mark = sign === ',' ? '.' : ',';
  const digits =
    thousands === undefined
      ? withoutThousands(whole, [...CLEAR_SEPARATORS, mark], decimals.length === 0 ? mark : undefined)
      : withoutThousands(whole, kindsOf(thousands));
  // The other separator must not remain: it would be read as JSON's decimal point.
  if (digits === undefined || !/^[+-]?\d*(?:[eE][+-]?\d+)?$/.test(digits)) return undefined;
  return plainNumber(decimals.length === 1 ? `${digits}.${decimals[0] ?? ''}` : digits);
}

function plainNumber(text: string): string | undefined {
  if (JSON_NUMBER.test(text)) return text;
  const match = PLAIN_NUMBER.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction] = match;
  if (whole === '' && fraction === undefined && !text.includes('0')) return undefined;
  return `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** @param open a separator which could be the decimal sign if it occurs once, before exactly three digits */
function withoutThousands(whole: string, separators: readonly string[], open?: string): string | undefined {
  if (/^[+-]?\d*$/.test(whole)) return whole;
  const separator = separators.find((candidate) => whole.includes(candidate));
  if (separator === undefined) return whole;
  const [first = '', ...groups] = whole.split(separator);
  if (!/^[+-]?\d{1,3}$/.test(first) || !groups.every((group) => /^\d{3}$/.test(group))) return undefined;
  if (separator === open && groups.length === 1) return undefined;
  return first + groups.join('');
}

function kindsOf(thousands: string): readonly string[] {
  return [SPACES, APOSTROPHES].find((kinds) => kinds.includes(thousands)) ?? [thousands];
}

/** A number split into the parts that all its spellings share. */
interface ExactNumber {
  readonly isNegative: boolean;
  /** Significant digits, without zeros at either end; empty for zero. */
  readonly digits: string;
  /** The value is 0.DIGITS times ten to this power. */
  readonly exponent: bigint;
}

function exactNumber(text: string): ExactNumber {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  const [, minus = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
  const all = whole + fraction;
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  const digits = all.slice(leading).replace(/0+$/, '');
  return {
    isNegative: minus === '-' && digits !== '',
    digits,
    exponent: digits === '' ? 0n : BigInt(exponent) + BigInt(whole.length - leading),
  };
}

/** A double keeps every decimal of this length exactly, and the service accepts no longer ones. */
const SIGNIFICANT_DIGITS_MAX = 15;

/**
 * The canonical form of a number: 1.0, 1.00 and 1e0 share it, and no other number has it. For a number that the service
 * accepts, it is the form of RFC 8785.
 *
 * @param text a JSON number
 */
export function canonicalNumber(text: string): string {
  const { isNegative, digits, exponent } = exactNumber(text);
  const double = Number(text);
  if (digits === '') return '0';
  if (digits.length <= SIGNIFICANT_DIGITS_MAX && Number.isFinite(double) && Math.abs(double) >= 1e-300) {
    return String(double);
  }
  return `${isNegative ? '-' : ''}0.${digits}e${exponent}`;
}
