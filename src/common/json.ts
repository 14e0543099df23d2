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

/**
 * What a JSON text is read by: a quote, an escape, a bracket, a number. A string is what stands between two quotes; it
 * is not matched as a whole, because a long one would exhaust the stack of the pattern's engine.
 */
const TOKEN = /["[\]{}]|\\(?:u[0-9a-fA-F]{4}|[^])|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

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
    let isInString = false;
    const exact = text.replace(TOKEN, (token) => {
      if (token === '"') isInString = !isInString;
      return isInString || !isNumber(token) || isKept(token) ? token : TOO_EXACT;
    });
    return JSON.parse(exact);
  } catch (cause) {
    throw new AppError('parse_error', {
      detail: `The request body is not JSON: ${(cause as Error).message}`,
      cause,
    });
  }
}

function isNumber(token: string): boolean {
  return /^[-\d]/.test(token);
}

function isKept(token: string): boolean {
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

/** Most digits before and after the decimal point of PostgreSQL's `numeric`. */
const NUMERIC_WHOLE_MAX = 131_072;
const NUMERIC_FRACTION_MAX = 16_383;

/** Why PostgreSQL could not keep a JSON text as it is. */
export interface JsonbProblem {
  readonly code: 'invalid' | 'max_digits';
  readonly detail: string;
}

/**
 * What keeps PostgreSQL from storing a JSON text as `jsonb`, numbers to their last digit: a NUL character or a lone
 * surrogate in a string, a number beyond the range of `numeric`, or deep nesting.
 *
 * The text is looked at and not the value: of a key that stands twice JSON.parse shows the last one only, PostgreSQL
 * reads both.
 *
 * @param text valid JSON
 */
export function jsonbProblem(text: string): JsonbProblem | undefined {
  if (!SUSPICIOUS.test(text) && !text.includes('\\u') && !hasManyBrackets(text)) return undefined;
  let isInString = false;
  let depth = 0;
  // Where the second half of a pair of surrogates must begin, while there is a first half.
  let highSurrogateEnd = -1;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '"') isInString = !isInString;
    else if (isInString) {
      if (!token.startsWith('\\u')) continue;
      const unit = Number.parseInt(token.slice(2), 16);
      const isLow = unit >= 0xdc00 && unit <= 0xdfff;
      if (unit === 0 || isLow !== (highSurrogateEnd === index)) return NOT_STORABLE;
      highSurrogateEnd = unit >= 0xd800 && unit <= 0xdbff ? index + token.length : -1;
      continue;
    } else if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (!fitsNumeric(token)) return TOO_MANY_DIGITS;
    if (highSurrogateEnd !== -1) return NOT_STORABLE;
    if (depth > DEPTH_MAX) return TOO_DEEP;
  }
  return undefined;
}

const NOT_STORABLE: JsonbProblem = {
  code: 'invalid',
  detail: 'A text holds a NUL character or a lone surrogate.',
};
const TOO_MANY_DIGITS: JsonbProblem = {
  code: 'max_digits',
  detail: 'A number has more digits than can be kept.',
};
const TOO_DEEP: JsonbProblem = {
  code: 'invalid',
  detail: `Objects and lists nest more than ${DEPTH_MAX} levels deep.`,
};

function hasManyBrackets(text: string): boolean {
  return text.split(/[[{]/, DEPTH_MAX + 2).length > DEPTH_MAX + 1;
}

function fitsNumeric(token: string): boolean {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().replace(/^-/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent);
  return whole.length + shift <= NUMERIC_WHOLE_MAX && fraction.length - shift <= NUMERIC_FRACTION_MAX;
}
