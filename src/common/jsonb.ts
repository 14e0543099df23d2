import { marksInText } from './json-bytes.js';
import { DEPTH_MAX } from './json.js';

/**
 * What a JSON text is read by: a quote, an escape, a bracket, a number. A string is what stands between two quotes; it
 * is not matched as a whole, because a long one would exhaust the stack of the pattern's engine.
 */
const TOKEN = /["[\]{}]|\\(?:u[0-9a-fA-F]{4}|[^])|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

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
  const { hasLongNumber, hasEscapedUnit, brackets } = marksInText(text);
  if (!hasLongNumber && !hasEscapedUnit && brackets <= DEPTH_MAX) return undefined;
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
      const isPaired = isLow && highSurrogateEnd === index;
      if (unit === 0 || ((isLow || highSurrogateEnd !== -1) && !isPaired)) return NOT_STORABLE;
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

function fitsNumeric(token: string): boolean {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().replace(/^-/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent);
  return whole.length + shift <= NUMERIC_WHOLE_MAX && fraction.length - shift <= NUMERIC_FRACTION_MAX;
}
