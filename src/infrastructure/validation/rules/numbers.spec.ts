import fc from 'fast-check';
import { expectSchema } from '../../../../test/support/rules.js';
import { ERRORS_MAX } from '../../errors/errors.js';
import type { Rule } from './rule.js';
import { amount, decimal, decimals } from './numbers.js';

const limits = { itemsMax: 0, catalogues: new Map() };

/** Codes of the violations, each behind the index of its item. */
const verdict = (rule: Rule, value: unknown): string[] =>
  [rule.violation(value, limits) ?? []]
    .flat()
    .map(({ code, index }) => (index === undefined ? code : `${index} ${code}`));

/** Values with the same verdict. */
const of = (codes: string[], ...values: unknown[]) =>
  values.map((value): [unknown, string[]] => [value, codes]);

describe.each<[string, Rule, [unknown, string[]][]]>([
  [
    'an amount (X2, T13)',
    amount,
    [
      [null, ['null']],
      ...of(['invalid'], '1', true),
      ...of([], 0, -10.5, 999_999_999_999.99),
      [10.505, ['max_decimal_places']],
      ...of(['max_digits'], 1e12, Infinity),
    ],
  ],
  [
    'a number (X2, T13)',
    decimal,
    [
      [null, ['null']],
      ['1', ['invalid']],
      ...of([], 1e-10, 0.123_456_789, 1e29),
      [1e-11, ['max_decimal_places']],
      ...of(['max_digits'], -1e30, -Infinity),
    ],
  ],
  [
    'a list of numbers (X2)',
    decimals({ max: 3 }),
    [
      [null, ['null']],
      [1, ['invalid']],
      [[], []],
      [[1, 0.5, -2], []],
      [[1, 2, 3, 4], ['max_length']],
      [
        [null, 1, '1'],
        ['0 null', '2 invalid'],
      ],
    ],
  ],
])('%s', (_name, rule, cases) => {
  it.each(cases)('%j: %j', (value, expected) => {
    expect(verdict(rule, value)).toEqual(expected);
  });
});

it('finds rejected items only up to the last entry of a response (T6)', () => {
  expect(verdict(decimals({ max: 10_000 }), Array(10_000).fill('1'))).toHaveLength(ERRORS_MAX + 1);
});

describe('the published schema', () => {
  const number = fc
    .tuple(fc.maxSafeInteger(), fc.nat({ max: 12 }))
    .map(([digits, places]) => Number(`${digits}e-${places}`));

  it.each<[string, Rule, fc.Arbitrary<unknown>]>([
    ['an amount', amount, number],
    ['an amount in hundredths', amount, fc.maxSafeInteger().map((hundredths) => hundredths / 100)],
    ['a number', decimal, number],
    ['a list of numbers', decimals({ max: 4 }), fc.array(number)],
  ])('accepts %s whenever the rule does', (_name, rule, values) => {
    expectSchema(rule, values);
  });
});
