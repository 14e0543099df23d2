import { daysToText } from '../values/excel-days.js';

/** The part of a cell's number format that changes the meaning of the number. */
export type NumberFormat =
  | { readonly is: 'number' }
  /** A number that is padded with leading zeros to this many digits, such as 00000. */
  | { readonly is: 'padded'; readonly digits: number }
  | { readonly is: 'date'; readonly hasTime: boolean; readonly hasDay: boolean };

export const PLAIN: NumberFormat = { is: 'number' };

/** Built-in formats, which have an id and no format code (ECMA-376 18.8.30). East Asian formats begin at 27. */
const DAYS = [14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58];
const TIMES = [18, 19, 20, 21, 32, 33, 34, 35, 45, 47];
const DAY_AND_TIME = 22;

/** The format with a built-in id, which is below 164. */
export function builtInFormat(id: number): NumberFormat {
  const hasDay = DAYS.includes(id) || id === DAY_AND_TIME;
  const hasTime = TIMES.includes(id) || id === DAY_AND_TIME;
  return hasDay || hasTime ? { is: 'date', hasDay, hasTime } : PLAIN;
}

/** @param code the format code, such as `dd\.mm\.yyyy` or `#,##0.00` */
export function formatOf(code: string): NumberFormat {
  const [first = ''] = code
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .toLowerCase()
    .split(';');
  if (/^0{2,}$/.test(first)) return { is: 'padded', digits: first.length };
  // Hours, minutes or seconds in brackets mark a duration, and a duration is read as a number.
  if (/\[(?:h+|m+|s+)\]/.test(first)) return PLAIN;
  const letters = first.replaceAll(/\[[^\]]*\]/g, '').replaceAll('general', '');
  const hasTime = /[hs]/.test(letters);
  const hasDay = /[yd]/.test(letters) || (letters.replaceAll('am/pm', '').includes('m') && !hasTime);
  return hasDay || hasTime ? { is: 'date', hasDay, hasTime } : PLAIN;
}

/** A double keeps every decimal of this length, and Excel shows no more digits. */
const DIGITS = 15;

/**
 * The text of a number in a workbook.
 *
 * @param written the number as written in the sheet
 * @param isFrom1904 whether day 0 of the workbook is 1 January 1904
 * @returns undefined if it is not a number
 */
export function numberText(written: string, format: NumberFormat, isFrom1904: boolean): string | undefined {
  const value = Number(written);
  if (written.trim() === '' || !Number.isFinite(value)) return undefined;
  const text = withoutExponent(value.toPrecision(DIGITS));
  if (format.is === 'date') return daysToText(text, format, isFrom1904);
  if (Number.isInteger(value) && Number(text) !== value)
    return `#DIGITS! ${value.toPrecision(DIGITS).toUpperCase()}`;
  if (format.is === 'padded' && /^\d+$/.test(text)) return text.padStart(format.digits, '0');
  return text;
}

/** @param text a number with digits after the point and without zeros at its end */
function withoutExponent(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const decimals = padded.slice(at).replace(/0+$/, '');
  const all = decimals === '' ? padded.slice(0, at) : `${padded.slice(0, at)}.${decimals}`;
  return all === '0' ? all : sign + all;
}
