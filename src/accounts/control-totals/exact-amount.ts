import type { Violation } from '../../infrastructure/validation/rules/violation.js';

/** More digits than any sum of amounts can have: an amount has 12 digits, and there are fewer than 10^12 amounts. */
const WHOLE_DIGITS_MAX = 24;
const DECIMALS_MAX = 2;

/**
 * Read a sum of amounts from the text of a JSON number. It may have more digits than a double keeps, so it is never converted to
 * one.
 *
 * @param text a JSON number as written, with or without an exponent
 * @returns the same number with two decimals, for example `-1234.50`; or why it cannot be a sum of amounts
 * Source: choices T13, V6.
 */
export function exactAmount(text: string): string | Violation {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const written = whole + fraction;
  const digits = written.replace(/^0+/, '').replace(/0+$/, '');
  if (digits === '') return '0.00';
  const leadingZeros = written.length - written.replace(/^0+/, '').length;
  // The number of digits before the decimal point. Negative if zeros come between the point and the first digit.
  const point = whole.length + Number(exponent) - leadingZeros;
  if (digits.length - point > DECIMALS_MAX) {
    return {
      code: 'max_decimal_places',
      detail: `At most ${DECIMALS_MAX} decimal places are allowed.`,
    };
  }
  if (point > WHOLE_DIGITS_MAX) {
    return {
      code: 'max_digits',
      detail: `At most ${WHOLE_DIGITS_MAX} digits before the decimal point are allowed.`,
    };
  }
  const hundredths = digits.padEnd(point + DECIMALS_MAX, '0').padStart(DECIMALS_MAX + 1, '0');
  return `${sign}${hundredths.slice(0, -DECIMALS_MAX)}.${hundredths.slice(-DECIMALS_MAX)}`;
}
