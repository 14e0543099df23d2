import { distance } from 'fastest-levenshtein';
import type { PlainRule, Rule } from './rule.js';
import { wrongType, type Violation } from './violation.js';

/** One of a fixed set of values. */
export function oneOf(values: readonly string[]): PlainRule {
  const allowed = new Set(values);
  return {
    violation: (value) => choiceViolation(value, allowed),
    schema: { type: 'string', enum: values },
  };
}

const NONE: ReadonlySet<string> = new Set();

/** A value of a catalogue, a set of values that an operator extends (choice X3). */
export function catalogueValue(catalogue: string): Rule {
  return {
    violation: (value, { catalogues }) => choiceViolation(value, catalogues.get(catalogue) ?? NONE),
    // The description of the interface names the initial values instead (http/openapi/catalogue-values.ts).
    schema: { type: 'string', minLength: 1, 'x-catalogue': catalogue },
    catalogue,
  };
}

function choiceViolation(value: unknown, allowed: ReadonlySet<string>): Violation | undefined {
  if (typeof value !== 'string') return wrongType(value, 'a string');
  if (allowed.has(value)) return undefined;
  if (value === '') return { code: 'blank' };
  const similar = nearMatches(value, allowed);
  const hint = similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : '';
  return { code: 'invalid_choice', detail: `The value is not one of the allowed values.${hint}` };
}

const NEAR_MATCHES_MAX = 3;
/** A longer text is not a typing mistake, and comparing it would take long. */
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
