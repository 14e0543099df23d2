/**
 * Count the digits of a JSON number as written without an exponent. parseJson accepts at most 15 significant digits, so the
 * shortest text of the double is the number that was sent.
 *
 * @param value a finite number
 * @returns the number of digits before the point without leading zeros, and after it without trailing zeros
 */
export function decimalDigits(value: number): { readonly whole: number; readonly decimals: number } {
  const [mantissa = '', exponentText = '0'] = Math.abs(value).toString().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const exponent = Number(exponentText);
  const wholeDigits = whole === '0' ? 0 : whole.length;
  return { whole: Math.max(0, wholeDigits + exponent), decimals: Math.max(0, fraction.length - exponent) };
}

/** Doubles do not represent all hundredths of larger numbers exactly. */
const HUNDREDTHS_MAX = 1e12;

/**
 * Whether a number certainly has at most two decimals. This is a fast path: it is true for most numbers of an import, and then no
 * text has to be built.
 */
export function isInHundredths(value: number): boolean {
  return Math.abs(value) < HUNDREDTHS_MAX && Math.round(value * 100) / 100 === value;
}

/** The format of {@link formatAmount}. */
export const AMOUNT_SHAPE = /^-?\d{1,12}\.\d{2}$/;

/**
 * Format an amount for a response.
 *
 * @param amount up to 12 digits and two decimals, which the field's validation guarantees
 * @returns a decimal with two places, for example `10.50`
 * Source: specification 2.4; choice X9.
 */
export function formatAmount(amount: number): string {
  return amount.toFixed(2);
}

/** The format of {@link formatHundredths}. */
export const AMOUNT_SUM_SHAPE = /^-?\d+\.\d{2}$/;

/**
 * Format a sum of amounts for a response.
 *
 * @param hundredths of any size
 * @returns a decimal with two places, for example `-0.07`
 * Source: choice V1.
 */
export function formatHundredths(hundredths: bigint): string {
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, '0');
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
