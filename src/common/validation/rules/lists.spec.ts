import fc from 'fast-check';
import { validatorOf } from '../../../../test/support/schema-validator.js';
import type { Rule } from './rule.js';
import { list } from './lists.js';

const limits = { itemsMax: 3, catalogues: new Map() };

/** Code of the violation, or `right`. */
const verdict = (rule: Rule, value: unknown): string =>
  [rule.violation(value, limits) ?? []].flat()[0]?.code ?? 'right';

describe.each<[string, Rule, [unknown, string][]]>([
  [
    'a list of as many items as are configured (T15)',
    list({ min: 1 }),
    [
      [[], 'min_length'],
      [[1], 'right'],
      [[1, 2, 3], 'right'],
      [[1, 2, 3, 4], 'max_length'],
      [{ length: 1 }, 'invalid'],
      ['abc', 'invalid'],
      [null, 'null'],
    ],
  ],
  [
    'a list with a length of its own',
    list({ min: 0, max: 4 }),
    [
      [[], 'right'],
      [[1, 2, 3, 4], 'right'],
      [[1, 2, 3, 4, 5], 'max_length'],
    ],
  ],
])('%s', (_name, rule, cases) => {
  it.each(cases)('%j: %s', (value, expected) => {
    expect(verdict(rule, value)).toBe(expected);
  });
});

it('publishes a schema that accepts whatever the rule accepts', () => {
  const rule = list({ min: 1 });
  const matches = validatorOf(rule.schema);
  fc.assert(
    fc.property(fc.array(fc.nat()), (value) => {
      fc.pre(rule.violation(value, limits) === undefined);
      expect({ value, matches: matches(value) }).toEqual({ value, matches: true });
    }),
    { numRuns: 500 },
  );
});
