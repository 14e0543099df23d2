import fc from 'fast-check';
import type { Rule } from '../../src/infrastructure/validation/rules/rule.js';
import { validatorOf } from './schema-validator.js';

const LIMITS = { itemsMax: 3, catalogues: new Map() };

/** Values that every text field refuses, whatever its rule. */
export const NO_TEXTS: readonly [value: unknown, code: string][] = [
  [null, 'null'],
  [1, 'invalid'],
  [true, 'invalid'],
  [[], 'invalid'],
  [{}, 'invalid'],
];

/** Test the first error code of each rule and value, or `right`. At most three items are allowed. */
export function describeRules(rules: readonly [name: string, Rule, cases: [unknown, string][]][]): void {
  describe.each(rules)('%s', (_name, rule, cases) => {
    it.each(cases)('%j: %s', (value, expected) => {
      expect([rule.violation(value, LIMITS) ?? []].flat()[0]?.code ?? 'right').toBe(expected);
    });
  });
}

/** Expect that the schema of a rule accepts every value that the rule accepts. */
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
