import fc from 'fast-check';
import { describeRules, expectSchema, NO_TEXTS } from '../../../../test/support/rules.js';
import type { PlainRule } from './rule.js';
import { identifier, text } from './text.js';

describeRules([
  [
    'text (T14)',
    text({ max: 3 }),
    [
      ...NO_TEXTS,
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
      ...NO_TEXTS,
      ['', 'blank'],
      ['x', 'right'],
      ['x'.repeat(128), 'right'],
      ['x'.repeat(129), 'max_length'],
      ['😀'.repeat(128), 'right'],
      ['😀'.repeat(129), 'max_length'],
    ],
  ],
]);

const words = fc.string({ unit: 'binary', maxLength: 5 });

describe('the published schema', () => {
  it.each<[string, PlainRule, fc.Arbitrary<unknown>]>([
    ['text', text({ max: 3 }), words],
    ['text that may be empty', text({ max: 3, blankAllowed: true }), words],
  ])('accepts %s whenever the rule does', (_name, rule, values) => {
    expectSchema(rule, values);
  });
});
