import { isUtf8 } from 'node:buffer';
import { AppError } from '../errors/errors.js';
import { DEPTH_MAX, forEachNumber, scanBytes } from './json-bytes.js';

/** Maximum number of significant digits: a double keeps every decimal of that length exactly. */
export const SIGNIFICANT_DIGITS_MAX = 15;

/** Replaces a number that a double cannot keep. JSON.parse reads it as infinity, which no JSON text can contain. */
const TOO_EXACT = '1e999';

/**
 * Parse a JSON text without rounding numbers: a number that a double cannot keep exactly becomes `Infinity`, so that the
 * validation of its field rejects it.
 *
 * @param bytes a whole request body
 * @throws AppError `parse_error` if the bytes are not UTF-8 or not JSON
 * Source: choices T4, T13.
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new AppError('parse_error', { detail: 'The request body is not UTF-8.' });
  const sent = bytes.toString('utf8');
  const text = sent.charCodeAt(0) === BYTE_ORDER_MARK ? sent.slice(1) : sent;
  try {
    const value: unknown = JSON.parse(text);
    const exact = scanBytes(bytes).hasLongNumber ? withoutRounding(text) : text;
    return exact === text ? value : JSON.parse(exact);
  } catch (cause) {
    throw new AppError('parse_error', {
      detail: `The request body is not JSON: ${(cause as Error).message}`,
      cause,
    });
  }
}

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Replace the numbers that a double cannot keep.
 *
 * @param text valid JSON
 */
function withoutRounding(text: string): string {
  const bytes = Buffer.from(text);
  let result = '';
  let copied = 0;
  forEachNumber(bytes, (start, end) => {
    if (isKept(bytes, start, end)) return;
    result += bytes.toString('utf8', copied, start) + TOO_EXACT;
    copied = end;
  });
  return result + bytes.toString('utf8', copied);
}

/**
 * Whether a double keeps the JSON number at `[start, end)`, given without its sign. A number that is too large need not be
 * checked, because JSON.parse reads it as infinity. A body may have millions of numbers, so only numbers that may be too small
 * are converted to text.
 */
function isKept(bytes: Buffer, start: number, end: number): boolean {
  // Digits from the first to the last that is not zero.
  let digits = 0;
  let zeros = 0;
  let index = start;
  for (; index < end && ((bytes[index] ?? 0) | 0x20) !== LETTER_E; index += 1) {
    if (bytes[index] === POINT) continue;
    if (bytes[index] !== ZERO) {
      digits += zeros + 1;
      zeros = 0;
    } else if (digits > 0) {
      zeros += 1;
    }
  }
  if (digits === 0 || digits > SIGNIFICANT_DIGITS_MAX) return digits === 0;
  const isTiny =
    index - start > USUAL_LENGTH_MAX || (bytes[index + 1] === MINUS && end - index > 'e-99'.length);
  return !isTiny || Number(bytes.toString('latin1', start, end)) >= SMALLEST_NORMAL;
}

const LETTER_E = 0x65;
const POINT = 0x2e;
const MINUS = 0x2d;
const ZERO = 0x30;
/** Length of digits and point. With an exponent of two digits, such a number is never tiny. */
const USUAL_LENGTH_MAX = 100;
/** Smaller doubles have fewer than 15 significant digits. */
const SMALLEST_NORMAL = 2.2250738585072014e-308;

/** The error of a payload that nests more than {@link DEPTH_MAX} levels. */
export function nestedTooDeeply(): AppError {
  return new AppError('parse_error', { detail: 'The request body is nested too deeply.' });
}

/** Whether a value nests more than `depthMax` levels; deeper levels are not visited. */
export function isTooDeep(value: unknown, depthMax: number = DEPTH_MAX): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depthMax === 0) return true;
  for (const content of Object.values(value)) {
    if (isTooDeep(content, depthMax - 1)) return true;
  }
  return false;
}
