import { didYouMean } from '../../text/near-matches.js';
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

/** A value from a catalogue, a set of values that an operator can extend (choice X3). */
export function catalogueValue(catalogue: string): Rule {
  return {
    violation: (value, { catalogues }) => choiceViolation(value, catalogues.get(catalogue) ?? NONE),
    // The API reference names the initial values instead (apps/http/openapi/catalogue-values.ts).
    schema: { type: 'string', minLength: 1, 'x-catalogue': catalogue },
    catalogue,
  };
}

function choiceViolation(value: unknown, allowed: ReadonlySet<string>): Violation | undefined {
  if (typeof value !== 'string') return wrongType(value, 'a string');
  if (allowed.has(value)) return undefined;
  if (value === '') return { code: 'blank' };
  const hint = didYouMean(value, allowed);
  return { code: 'invalid_choice', detail: `The value is not one of the allowed values.${hint}` };
}
