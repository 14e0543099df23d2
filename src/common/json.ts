import { isUtf8 } from 'node:buffer';
import { AppError } from './errors.js';
import { scanBytes } from './json-bytes.js';

/** Most significant digits of a number: a double keeps every decimal of that length exactly. */
export const SIGNIFICANT_DIGITS_MAX = 15;

/** Deepest nesting of objects and arrays that is accepted; no documented payload nests more than five levels. */
export const DEPTH_MAX = 64;

/** Replaces a number that a double cannot keep; JSON.parse reads it as infinity, which no JSON text can contain. */
const TOO_EXACT = '1e999';

/**
 * Parse a JSON text without rounding a number: one that a double cannot keep exactly becomes `Infinity`, so that the
 * validation of its field refuses it.
 *
 * @param bytes a whole request body
 * @throws AppError `parse_error` when the bytes are not UTF-8 or not JSON
 * Source: choices T4, T13.
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new AppError('parse_error', { detail: 'The request body is not UTF-8.' });
  const sent = bytes.toString('utf8');
  const text = sent.charCodeAt(0) === BYTE_ORDER_MARK ? sent.slice(1) : sent;
  try {
    const value: unknown = JSON.parse(text);
    if (!scanBytes(bytes).hasLongNumber) return value;
    return JSON.parse(withoutRounding(text));
  } catch (cause) {
    throw new AppError('parse_error', {
      detail: `The request body is not JSON: ${(cause as Error).message}`,
      cause,
    });
  }
}

/**
 * Replace the numbers that a double cannot keep. It is a loop, because a regular expression exhausts the stack or takes
 * minutes on one string of ten million escapes or one number of ten million zeros.
 *
 * @param text known to be JSON
 */
function withoutRounding(text: string): string {
  let result = '';
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (isDigit(code)) {
      const end = endOfNumber(text, at);
      if (!isKept(text.slice(at, end))) {
        result += text.slice(copied, at) + TOO_EXACT;
        copied = end;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  return result + text.slice(copied);
}

const BYTE_ORDER_MARK = 0xfeff;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** @returns the index after the closing quote */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** @returns the index after a number without its sign */
function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (isInNumber(text.charCodeAt(at))) at += 1;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** A digit, or one of `. e E + -`. */
function isInNumber(code: number): boolean {
  return isDigit(code) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === 0x2d;
}

/** @param number a JSON number without its sign */
function isKept(number: string): boolean {
  const digits = significantDigits(number);
  if (digits === 0) return true;
  if (digits > SIGNIFICANT_DIGITS_MAX) return false;
  const double = Number(number);
  return Number.isFinite(double) && double >= SMALLEST_NORMAL;
}

/** The number of digits from the first to the last that is not zero, without the exponent. */
function significantDigits(number: string): number {
  let digits = 0;
  let zeros = 0;
  for (const character of number) {
    if (character === 'e' || character === 'E') break;
    if (character === '.') continue;
    if (character !== '0') {
      digits += zeros + 1;
      zeros = 0;
    } else if (digits > 0) {
      zeros += 1;
    }
  }
  return digits;
}

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
