import fc from 'fast-check';
import { validatorOf } from '../../../../test/support/schema-validator.js';
import type { PlainRule } from './rule.js';
import { identifier, text } from './text.js';

/** Code of the violation, or `right`. */
const verdict = (rule: PlainRule, value: unknown): string => rule.violation(value)?.code ?? 'right';

const noStrings: [unknown, string][] = [
  [null, 'null'],
  [1, 'invalid'],
  [true, 'invalid'],
  [[], 'invalid'],
  [{}, 'invalid'],
];

describe.each<[string, PlainRule, [unknown, string][]]>([
  [
    'text (T14)',
    text({ max: 3 }),
    [
      ...noStrings,
      ['', 'blank'],
      [' ', 'right'],
      ['abc', 'right'],
      ['abcd', 'max_length'],
      ['😀😀😀', 'right'],
      ['😀😀😀😀', 'max_length'],
      ['ab😀', 'right'],
      ['ab😀c', 'max_length'],
      ['a\0', 'invalid'],
      ['\ud83d', 'invalid'],
      ['\ude00a', 'invalid'],
      ['\ud83d\ude00', 'right'],
      ['\n\t\x01', 'right'],
    ],
  ],
  [
    'text that may be empty',
    text({ max: 3, blankAllowed: true }),
    [
      ['', 'right'],
      ['abcd', 'max_length'],
      [null, 'null'],
    ],
  ],
  [
    'an identifier (T14)',
    identifier,
    [
      ...noStrings,
      ['', 'blank'],
      ['x', 'right'],
      ['x'.repeat(128), 'right'],
      ['x'.repeat(129), 'max_length'],
      ['😀'.repeat(128), 'right'],
      ['😀'.repeat(129), 'max_length'],
    ],
  ],
])('%s', (_name, rule, cases) => {
  it.each(cases)('%j: %s', (value, expected) => {
    expect(verdict(rule, value)).toBe(expected);
  });
});

const words = fc.string({ unit: 'binary', maxLength: 5 });

describe('the published schema', () => {
  it.each<[string, PlainRule, fc.Arbitrary<unknown>]>([
    ['text', text({ max: 3 }), words],
    ['text that may be empty', text({ max: 3, blankAllowed: true }), words],
  ])('accepts %s whenever the rule does', (_name, rule, values) => {
    const matches = validatorOf(rule.schema);
    fc.assert(
      fc.property(values, (value) => {
        fc.pre(rule.violation(value) === undefined);
        expect({ value, matches: matches(value) }).toEqual({ value, matches: true });
      }),
      { numRuns: 500 },
    );
  });
});
