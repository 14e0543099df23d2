import { scanText } from './json-bytes.js';
import { DEPTH_MAX } from './json.js';

/**
 * The tokens of a JSON text: quotes, escapes, brackets, numbers. A string is not matched as a whole, because a long one
 * exhausts the stack of the regular expression engine.
 */
const TOKEN = /["[\]{}]|\\(?:u[0-9a-fA-F]{4}|[^])|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** Most digits before and after the decimal point of PostgreSQL's `numeric`. */
const NUMERIC_WHOLE_MAX = 131_072;
const NUMERIC_FRACTION_MAX = 16_383;

/** Why PostgreSQL cannot store a JSON text unchanged. */
export interface JsonbProblem {
  readonly code: 'invalid' | 'max_digits';
  readonly detail: string;
}

/**
 * The reason why PostgreSQL cannot store a JSON text as `jsonb` with every digit: a NUL character or a lone surrogate in a
 * string, a number outside the range of `numeric`, or deep nesting.
 *
 * It checks the text and not the parsed value: of a repeated key JSON.parse returns the last value only, PostgreSQL reads
 * all of them.
 *
 * @param text valid JSON
 */
export function jsonbProblem(text: string): JsonbProblem | undefined {
  const { hasLongNumber, hasEscapedUnit, brackets } = scanText(text);
  if (!hasLongNumber && !hasEscapedUnit && brackets <= DEPTH_MAX) return undefined;
  let isInString = false;
  let depth = 0;
  // The index at which the low surrogate must begin after a high one, otherwise -1.
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
  detail: 'A text contains a NUL character or a lone surrogate.',
};
const TOO_MANY_DIGITS: JsonbProblem = {
  code: 'max_digits',
  detail: 'A number has more digits than can be stored.',
};
const TOO_DEEP: JsonbProblem = {
  code: 'invalid',
  detail: `Objects and lists are nested more than ${DEPTH_MAX} levels deep.`,
};

function fitsNumeric(token: string): boolean {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().replace(/^-/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent);
  return whole.length + shift <= NUMERIC_WHOLE_MAX && fraction.length - shift <= NUMERIC_FRACTION_MAX;
}
