import { isCalendarDay, parseMoment } from '../dates.js';
import type { FieldErrorCode } from '../errors.js';
import { decimalDigits } from '../money.js';

/** Why a value is refused: a stable code and a sentence for a person. */
export interface Violation {
  readonly code: FieldErrorCode;
  readonly detail?: string;
}

/** What a rule may need to know beyond the value: limits and lists that an operator can change. */
export interface RuleContext {
  /** Most items of a list that carries the load (contract T15). */
  readonly itemsMax: number;
  /** Allowed values of a catalogue (contract X3). */
  readonly catalogue: (field: string) => ReadonlySet<string>;
}

/** The rule of one field: pure, and the one source for both ways of validating and for the published schema. */
export interface FieldRule {
  /** @param value anything but `undefined`; @returns nothing when the value is right */
  readonly violation: (value: unknown, context: RuleContext) => Violation | undefined;
  /** The rule as a JSON Schema, for contract/openapi.json. */
  readonly schema: Readonly<Record<string, unknown>>;
}

const INVALID: Violation = { code: 'invalid' };

/** Text without NUL and lone surrogates; lengths in Unicode code points (contract T14). */
export function text(limits: { max: number; blankAllowed?: boolean }): FieldRule {
  const { max, blankAllowed = false } = limits;
  return {
    violation: (value) => {
      if (typeof value !== 'string') return notOfType(value, 'a string');
      if (value === '') return blankAllowed ? undefined : { code: 'blank' };
      if (!isStorable(value)) {
        return { code: 'invalid', detail: 'The text holds a NUL character or a lone surrogate.' };
      }
      return isLonger(value, max)
        ? { code: 'max_length', detail: `At most ${max} characters are allowed.` }
        : undefined;
    },
    schema: { type: 'string', maxLength: max, ...(blankAllowed ? {} : { minLength: 1 }) },
  };
}

/** A code or number that names something: 1 to 128 characters, compared exactly (contract T14). */
export const identifier: FieldRule = text({ max: 128 });

function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

/** Whether a text has more than `max` code points; counting starts only when its UTF-16 length leaves it open. */
function isLonger(value: string, max: number): boolean {
  if (value.length <= max) return false;
  if (value.length > 2 * max) return true;
  return Array.from(value).length > max;
}

/** A calendar day, `YYYY-MM-DD` (contract T12). */
export const calendarDay: FieldRule = {
  violation: (value) => {
    if (typeof value !== 'string') return notOfType(value, 'a date as a string');
    return isCalendarDay(value)
      ? undefined
      : { code: 'invalid', detail: 'Expected a real day in the form YYYY-MM-DD.' };
  },
  schema: { type: 'string', format: 'date' },
};

/** A datetime, `YYYY-MM-DDTHH:MM:SSZ` (contract T12). */
export const moment: FieldRule = {
  violation: (value) => {
    if (typeof value !== 'string') return notOfType(value, 'a datetime as a string');
    return parseMoment(value) === undefined
      ? { code: 'invalid', detail: 'Expected a datetime in the form YYYY-MM-DDTHH:MM:SSZ.' }
      : undefined;
  },
  schema: { type: 'string', format: 'date-time' },
};

export const truth: FieldRule = {
  violation: (value) => (typeof value === 'boolean' ? undefined : notOfType(value, 'true or false')),
  schema: { type: 'boolean' },
};

/** A whole number of a query. */
export function wholeNumber({ min, max }: { min: number; max: number }): FieldRule {
  return {
    violation: (value) => {
      if (!Number.isInteger(value)) return notOfType(value, 'a whole number');
      if ((value as number) < min) return { code: 'min_value', detail: `At least ${min} is needed.` };
      return (value as number) > max
        ? { code: 'max_value', detail: `At most ${max} is allowed.` }
        : undefined;
    },
    schema: { type: 'integer', minimum: min, maximum: max },
  };
}

/** A list; what its items must be is said by their own class. */
export function list(limits: { min?: number; max?: number }): FieldRule {
  return {
    violation: (value, { itemsMax }) => {
      if (!Array.isArray(value)) return notOfType(value, 'a list');
      const { min = 0, max = itemsMax } = limits;
      if (value.length < min) return { code: 'min_length', detail: `At least ${min} item is needed.` };
      return value.length > max
        ? { code: 'max_length', detail: `At most ${max} items are allowed.` }
        : undefined;
    },
    schema: { type: 'array', minItems: limits.min ?? 0 },
  };
}

const PATH_BYTES_MAX = 1_024;

/**
 * A document's path below the supplier's document root: segments joined with `/`, none of them empty, `.` or `..`, no
 * backslash, no control character, up to 1,024 bytes of UTF-8, so that the joined location can never leave the root.
 *
 * Source: specification 2.9; contract F2, T14.
 */
export const documentPath: FieldRule = {
  violation: (value) => {
    if (typeof value !== 'string') return notOfType(value, 'a string');
    if (value === '') return { code: 'blank' };
    const problem = pathProblem(value);
    return problem === undefined ? undefined : { code: 'invalid_document_path', detail: problem };
  },
  schema: { type: 'string', minLength: 1, maxLength: PATH_BYTES_MAX },
};

/** @returns what is wrong with a relative path, as a sentence, or undefined when it is safe to join */
export function pathProblem(path: string): string | undefined {
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) return `The path is longer than ${PATH_BYTES_MAX} bytes.`;
  if (!path.isWellFormed()) return 'The path holds a lone surrogate.';
  if (/[\p{Cc}\\]/u.test(path)) return 'The path holds a control character or a backslash.';
  const segments = path.split('/');
  if (segments[0] === '') return 'The path is absolute; it must be relative to the document root.';
  if (segments.includes('')) return 'The path has an empty segment.';
  return segments.some((segment) => segment === '.' || segment === '..')
    ? 'The path has a "." or ".." segment.'
    : undefined;
}

/** The answer to a value of another JSON type. */
export function notOfType(value: unknown, expected: string): Violation {
  return value === null ? { code: 'null' } : { ...INVALID, detail: `Expected ${expected}.` };
}

const DECIMALS_MAX = 10;

/**
 * A number of any size with up to ten decimals. That it has no more than 15 significant digits is seen where the JSON is
 * read: one that has more arrives as infinity (json.ts).
 *
 * Source: contract T13, X2, H1.
 */
export const decimalNumber: FieldRule = {
  violation: (value) => {
    if (typeof value !== 'number') return notOfType(value, 'a number');
    if (Number.isInteger(value)) return undefined;
    if (!Number.isFinite(value)) return { code: 'max_digits' };
    return decimalDigits(value).decimals > DECIMALS_MAX
      ? { code: 'max_decimal_places', detail: `At most ${DECIMALS_MAX} decimal places are allowed.` }
      : undefined;
  },
  schema: { type: 'number' },
};
