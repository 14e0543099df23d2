import { forEachNumber } from './json-bytes.js';

const MINUS = 0x2d;

/**
 * A text that two JSON texts have in common if PostgreSQL's `jsonb` takes them as equal: the order of members, spaces, escapes and
 * the way a number is written do not count, and the last of repeated members counts. No number is rounded.
 *
 * @param text valid JSON that `jsonb` can store
 */
export function comparableJson(text: string): string {
  const bytes = Buffer.from(text);
  let exact = '';
  let copied = 0;
  forEachNumber(bytes, (digits, end) => {
    const start = bytes[digits - 1] === MINUS ? digits - 1 : digits;
    // No text that can be stored has a NUL character, so no text looks like a number.
    exact += `${bytes.toString('utf8', copied, start)}"\\u0000${decimal(bytes.toString('latin1', start, end))}"`;
    copied = end;
  });
  return JSON.stringify(JSON.parse(exact + bytes.toString('utf8', copied)), sorted);
}

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** @returns the digits from the first to the last that is not zero, and their exponent */
function decimal(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  let length = digits.length;
  while (digits[length - 1] === '0') length -= 1;
  const shift = Number(exponent) - fraction.length + digits.length - length;
  return length === 0 ? '0' : `${sign}${digits.slice(0, length)}e${shift}`;
}
