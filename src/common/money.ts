/**
 * How a JSON number is written out in full, without an exponent. Numbers arrive with at most 15 significant digits
 * (json.ts), so the shortest text that a double prints is the very number that was sent.
 *
 * @param value a finite number
 * @returns digits before the point without leading zeros, digits behind it without trailing zeros
 */
export function decimalDigits(value: number): { readonly whole: number; readonly decimals: number } {
  const [mantissa = '', exponentText = '0'] = Math.abs(value).toString().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const exponent = Number(exponentText);
  const wholeDigits = whole === '0' ? 0 : whole.length;
  return { whole: Math.max(0, wholeDigits + exponent), decimals: Math.max(0, fraction.length - exponent) };
}

/** Hundredths of larger numbers than this are not all whole numbers that a double holds. */
const HUNDREDTHS_MAX = 1e12;

/** Whether a number surely has two decimals at most, found out without writing it down; most numbers of a load have. */
export function isInHundredths(value: number): boolean {
  return Math.abs(value) < HUNDREDTHS_MAX && Math.round(value * 100) / 100 === value;
}

/** The form in which {@link formatAmount} writes. */
export const AMOUNT_SHAPE = /^-?\d{1,12}\.\d{2}$/;

/**
 * Write an amount as answers carry it.
 *
 * @param amount up to 12 digits and two decimals, as the rule of the field has made sure
 * @returns a decimal with two places, for example `10.50`
 * Source: specification 2.4; contract X9.
 */
export function formatAmount(amount: number): string {
  return amount.toFixed(2);
}
