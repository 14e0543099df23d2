import fc from 'fast-check';
import { describeRules, expectSchema, NO_TEXTS } from '../../../../test/support/rules.js';
import type { PlainRule } from './rule.js';
import { calendarDay, dateTime } from './dates.js';

describeRules([
  [
    'a calendar day (T12)',
    calendarDay,
    [...NO_TEXTS, ['2024-02-29', 'right'], ['2023-02-29', 'invalid'], ['', 'invalid']],
  ],
  [
    'a date-time (T12)',
    dateTime,
    [...NO_TEXTS, ['2024-02-29T00:00:00Z', 'right'], ['2024-02-29', 'invalid'], ['', 'invalid']],
  ],
]);

const date = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

describe('the published schema', () => {
  it.each<[string, PlainRule, fc.Arbitrary<unknown>]>([
    ['a day', calendarDay, date.map((day) => day.toISOString().slice(0, 10))],
    ['a date-time', dateTime, date.map((time) => time.toISOString())],
  ])('accepts %s whenever the rule does', (_name, rule, values) => {
    expectSchema(rule, values);
  });
});
