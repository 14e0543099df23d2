import { distance } from 'fastest-levenshtein';
import { isCalendarDay, parseDateTime } from '../dates.js';
import type { FieldErrorCode } from '../errors.js';
import { SIGNIFICANT_DIGITS_MAX } from '../json.js';
import { decimalDigits, isInHundredths } from '../money.js';

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

/** For rules that ask for no list of the load and for no catalogue. */
export const NO_CONTEXT: RuleContext = { itemsMax: 0, catalogue: () => new Set() };

/** The rule of one field: pure, and the one source for both ways of validating and for the published schema. */
export interface FieldRule {
  /** @param value anything but `undefined`; @returns nothing when the value is right */
  readonly violation: (value: unknown, context: RuleContext) => Violation | undefined;
  /** The rule of every item of a list of plain values. */
  readonly each?: FieldRule;
  /** The rule as a JSON Schema, for contract/openapi.json. */
  readonly schema: Readonly<Record<string, unknown>> & { readonly description?: string };
  /** Published under this name, where several schemas have the same list of values. */
  readonly name?: string;
  /** The catalogue whose values are allowed; the published schema names those that it begins with. */
  readonly catalogue?: string;
}

/**
 * The same rule with a sentence for the published schema, where the field's name does not say what it means. What the rule
 * says of itself stands behind it.
 */
export function described(rule: FieldRule, meaning: string): FieldRule {
  const { description, ...schema } = rule.schema;
  return { ...rule, schema: { ...schema, description: description ? `${meaning} ${description}` : meaning } };
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

/** What a payment goes by elsewhere (contract T14). */
export const reference: FieldRule = text({ max: 512 });

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
  schema: {
    type: 'string',
    format: 'date',
    description: 'A real day of the years 0001 to 9999, `YYYY-MM-DD`.',
  },
};

/** A datetime, `YYYY-MM-DDTHH:MM:SSZ` (contract T12). */
export const moment: FieldRule = {
  violation: (value) => {
    if (typeof value !== 'string') return notOfType(value, 'a datetime as a string');
    return parseDateTime(value) === undefined
      ? { code: 'invalid', detail: 'Expected a datetime in the form YYYY-MM-DDTHH:MM:SSZ.' }
      : undefined;
  },
  // Without a pattern: a client whose language has a type for moments would hold it against that, not against the text.
  schema: {
    type: 'string',
    format: 'date-time',
    description:
      '`YYYY-MM-DDTHH:MM:SSZ`, with seconds from 00 to 59 and a capital `T` and `Z`. A fraction of up to nine digits and, in place of `Z`, an offset such as `+01:00` are taken too: the moment is turned into UTC, years 0001 to 9999, and cut to the whole second.',
  },
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

const CONFIGURED_MAX =
  'As many items as the service is set to take, 5,000 unless its operator has changed that.';

/** How many items a list may have, and what its items are. */
export interface ListLimits {
  readonly min?: number;
  /** Without it as many as the service is set to take. */
  readonly max?: number;
}

/** A list; what its items must be is said by their own class, or by the rule `each` when they are plain values. */
export function list(limits: ListLimits & { each?: FieldRule }): FieldRule {
  return {
    violation: (value, { itemsMax }) => {
      if (!Array.isArray(value)) return notOfType(value, 'a list');
      const { min = 0, max = itemsMax } = limits;
      if (value.length < min) return { code: 'min_length', detail: `At least ${min} item is needed.` };
      return value.length > max
        ? { code: 'max_length', detail: `At most ${max} items are allowed.` }
        : undefined;
    },
    schema: {
      type: 'array',
      minItems: limits.min ?? 0,
      ...(limits.max === undefined ? { description: CONFIGURED_MAX } : { maxItems: limits.max }),
      ...(limits.each && { items: limits.each.schema }),
    },
    ...(limits.each && { each: limits.each }),
  };
}

/** One value of a fixed list; `name` is what clients know the list by. */
export function oneOf(values: readonly string[], name?: string): FieldRule {
  const allowed = new Set(values);
  return {
    violation: (value) => choiceViolation(value, allowed),
    schema: { type: 'string', enum: values },
    ...(name !== undefined && { name }),
  };
}

/** One value of a catalogue, a list that an operator may extend (contract X3). */
export function fromCatalogue(field: string): FieldRule {
  return {
    violation: (value, { catalogue }) => choiceViolation(value, catalogue(field)),
    schema: { type: 'string', minLength: 1 },
    catalogue: field,
  };
}

function choiceViolation(value: unknown, allowed: ReadonlySet<string>): Violation | undefined {
  if (typeof value !== 'string') return notOfType(value, 'a string');
  if (allowed.has(value)) return undefined;
  if (value === '') return { code: 'blank' };
  const similar = nearMatches(value, allowed);
  const hint = similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : '';
  return { code: 'invalid_choice', detail: `The value is not one of the allowed ones.${hint}` };
}

const NEAR_MATCHES_MAX = 3;
/** A longer text is no slip of anybody's pen, and comparing it would take long. */
const COMPARED_LENGTH_MAX = 64;

/** Allowed values that differ from a value in at most a third of its letters, the nearest first. */
function nearMatches(value: string, allowed: ReadonlySet<string>): string[] {
  if (value.length > COMPARED_LENGTH_MAX) return [];
  const typed = value.toUpperCase();
  return [...allowed]
    .map((candidate) => ({ candidate, changes: distance(typed, candidate) }))
    .filter(({ changes }) => changes <= Math.max(2, Math.floor(typed.length / 3)))
    .sort((one, other) => one.changes - other.changes || (one.candidate < other.candidate ? -1 : 1))
    .slice(0, NEAR_MATCHES_MAX)
    .map(({ candidate }) => candidate);
}

const AMOUNT_WHOLE_DIGITS_MAX = 12;
const AMOUNT_DECIMALS_MAX = 2;

/** The largest amount; a schema's `multipleOf` would refuse many, 19.99 among them, for it divides in binary. */
const AMOUNT_MAX = 999_999_999_999.99;

/** An amount of money: up to 12 digits before the point and two behind it (contract X2, T13). */
export const amount: FieldRule = {
  violation: (value) => {
    if (typeof value !== 'number') return notOfType(value, 'a number');
    if (isInHundredths(value)) return undefined;
    if (!Number.isFinite(value)) return { code: 'max_digits' };
    const { whole, decimals } = decimalDigits(value);
    if (whole > AMOUNT_WHOLE_DIGITS_MAX) {
      return {
        code: 'max_digits',
        detail: `At most ${AMOUNT_WHOLE_DIGITS_MAX} digits before the point are allowed.`,
      };
    }
    return decimals > AMOUNT_DECIMALS_MAX
      ? { code: 'max_decimal_places', detail: `At most ${AMOUNT_DECIMALS_MAX} decimal places are allowed.` }
      : undefined;
  },
  schema: {
    type: 'number',
    minimum: -AMOUNT_MAX,
    maximum: AMOUNT_MAX,
    description: `At most ${AMOUNT_DECIMALS_MAX} decimal places.`,
  },
};

const NUMBER_DECIMALS_MAX = 10;

/** A number kept exactly: up to 15 significant digits and ten decimals (contract X2, T13). */
export const decimalNumber: FieldRule = {
  violation: (value) => {
    if (typeof value !== 'number') return notOfType(value, 'a number');
    if (!Number.isFinite(value)) return { code: 'max_digits' };
    if (isInHundredths(value) || Number.isInteger(value)) return undefined;
    if (decimalDigits(value).decimals <= NUMBER_DECIMALS_MAX) return undefined;
    return {
      code: 'max_decimal_places',
      detail: `At most ${NUMBER_DECIMALS_MAX} decimal places are allowed.`,
    };
  },
  schema: {
    type: 'number',
    description: `At most ${SIGNIFICANT_DIGITS_MAX} significant digits and ${NUMBER_DECIMALS_MAX} decimal places.`,
  },
};

const PATH_BYTES_MAX = 1_024;

/**
 * What {@link pathProblem} says of segments and characters, for the published schema: in words that the regular expressions
 * of every language have, so the control characters are spelt out.
 */
const PATH_SHAPE =
  /^(?!\.{1,2}(?:\/|$))[^\/\\\x00-\x1f\x7f-\x9f]+(?:\/(?!\.{1,2}(?:\/|$))[^\/\\\x00-\x1f\x7f-\x9f]+)*$/;

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
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: PATH_BYTES_MAX,
    pattern: PATH_SHAPE.source,
    description: `Relative to the document root of the import supplier: no \`/\` at the beginning or end, no empty, \`.\` or \`..\` segment, no backslash, no control character, at most ${PATH_BYTES_MAX.toLocaleString('en')} bytes of UTF-8.`,
  },
};

/** What nearly every path looks like: letters, digits and a few signs, no segment that begins with a point. */
const PLAIN_PATH = /^[\w-][\w. -]*(?:\/[\w-][\w. -]*)*$/;

/** @returns what is wrong with a relative path, as a sentence, or undefined when it is safe to join */
export function pathProblem(path: string): string | undefined {
  if (path.length <= PATH_BYTES_MAX && PLAIN_PATH.test(path)) return undefined;
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
