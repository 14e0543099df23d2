import fc from 'fast-check';
import { validatorOf } from '../../../../test/support/schema-validator.js';
import type { PlainRule } from './rule.js';
import { calendarDay, dateTime } from './dates.js';

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
    'a calendar day (T12)',
    calendarDay,
    [...noStrings, ['2024-02-29', 'right'], ['2023-02-29', 'invalid'], ['', 'invalid']],
  ],
  [
    'a date-time (T12)',
    dateTime,
    [...noStrings, ['2024-02-29T00:00:00Z', 'right'], ['2024-02-29', 'invalid'], ['', 'invalid']],
  ],
])('%s', (_name, rule, cases) => {
  it.each(cases)('%j: %s', (value, expected) => {
    expect(verdict(rule, value)).toBe(expected);
  });
});

const date = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

describe('the published schema', () => {
  it.each<[string, PlainRule, fc.Arbitrary<unknown>]>([
    ['a day', calendarDay, date.map((day) => day.toISOString().slice(0, 10))],
    ['a date-time', dateTime, date.map((time) => time.toISOString())],
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
