import { isUtf8 } from 'node:buffer';
import { AppError } from './errors.js';

/** Most significant digits that a number may have: every decimal of that length survives a double unchanged. */
const SIGNIFICANT_DIGITS_MAX = 15;

/** Deepest nesting of objects and arrays that is read; no documented payload goes deeper than five. */
const DEPTH_MAX = 64;

/**
 * A text without a run of 16 digits and points and without a two-digit exponent holds only numbers that a double keeps
 * exactly. Such a run inside a string makes the text suspicious too; the careful reading below then decides.
 */
const SUSPICIOUS = /\d[\d.]{15}|\d[eE][-+]?\d{2}/;

/** A string (to be passed over) or a number of a text that is known to be JSON. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** Stands in the text for a number that cannot be kept; JSON.parse makes infinity of it, which no payload can hold. */
const TOO_EXACT = '1e999';

/**
 * Read a JSON text without ever rounding a number.
 *
 * A number that a double cannot keep exactly arrives as `Infinity`, so that the field it stands in can refuse it.
 *
 * @param bytes a whole request body
 * @throws AppError `parse_error` when the bytes are not UTF-8 or not JSON
 * Source: contract T4, T13.
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new AppError('parse_error', { detail: 'The request body is not UTF-8.' });
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  try {
    const value: unknown = JSON.parse(text);
    if (!SUSPICIOUS.test(text)) return value;
    return JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (isKept(token) ? token : TOO_EXACT)));
  } catch (cause) {
    throw new AppError('parse_error', {
      detail: `The request body is not JSON: ${(cause as Error).message}`,
      cause,
    });
  }
}

function isKept(token: string): boolean {
  if (token.startsWith('"')) return true;
  const [mantissa = ''] = token.toLowerCase().replace('-', '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '').replace(/0+$/, '');
  if (digits === '') return true;
  if (digits.length > SIGNIFICANT_DIGITS_MAX) return false;
  const double = Number(token);
  return Number.isFinite(double) && Math.abs(double) >= SMALLEST_NORMAL;
}

/** Below this a double has fewer than 15 significant digits. */
const SMALLEST_NORMAL = 2.2250738585072014e-308;

/** Whether a value nests more deeply than any documented payload could. */
export function isTooDeep(value: unknown, depthMax: number = DEPTH_MAX): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? (Object.values(item) as unknown[]) : [],
    );
  }
  return false;
}
