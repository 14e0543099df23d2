import { format } from 'node:util';
import fc from 'fast-check';
import type { Rule } from '../../src/infrastructure/validation/rules/rule.js';
import { validatorOf } from './schema-validator.js';

const LIMITS = { itemsMax: 3, catalogues: new Map() };

/** Values that every text field refuses, whatever its rule. */
export const NO_TEXTS: readonly [value: unknown, code: string][] = [
  [null, 'null'],
  ...named('invalid', 1, true, [], {}),
];

/** Values for which a rule has the same code, or `right`. */
export function named(code: string, ...values: unknown[]): [unknown, string][] {
  return values.map((value) => [value, code]);
}

/** Test the first error code of each rule and value, or `right`. At most three items are allowed. */
export function describeRules(rules: readonly [name: string, Rule, cases: [unknown, string][]][]): void {
  describe.each(rules)('%s', (_name, rule, cases) => {
    it.each(cases.map(([value, expected]) => [inTitle(value), expected, value]))(
      '%s: %s',
      (_, expected, value) => {
        expect([rule.violation(value, LIMITS) ?? []].flat()[0]?.code ?? 'right').toBe(expected);
      },
    );
  });
}

/** A value in the title of a test, shortened when it is long. */
function inTitle(value: unknown): string {
  const text = format('%j', value);
  return text.length > 100 ? `${text.slice(0, 40)}… (${text.length} characters)` : text;
}

/** The schema that a rule publishes accepts every value that the rule accepts. */
export function expectSchema(rule: Rule, values: fc.Arbitrary<unknown>): void {
  const matches = validatorOf(rule.schema);
  fc.assert(
    fc.property(values, (value) => {
      fc.pre(rule.violation(value, LIMITS) === undefined);
      expect({ value, matches: matches(value) }).toEqual({ value, matches: true });
    }),
    { numRuns: 500 },
  );
}
