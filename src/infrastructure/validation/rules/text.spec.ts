import fc from 'fast-check';
import { describeRules, expectSchema, named, NO_TEXTS } from '../../../../test/support/rules.js';
import type { PlainRule } from './rule.js';
import { identifier, text } from './text.js';

describeRules([
  [
    'text (T14)',
    text({ max: 3 }),
    [
      ...NO_TEXTS,
      ['', 'blank'],
      ...named('right', ' ', 'abc', '😀😀😀', 'ab😀', '\ud83d\ude00', '\n\t\x01'),
      ...named('max_length', 'abcd', '😀😀😀😀', 'ab😀c'),
      ...named('invalid', 'a\0', '\ud83d', '\ude00a'),
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
      ...named('right', 'x', 'x'.repeat(128), '😀'.repeat(128)),
      ...named('max_length', 'x'.repeat(129), '😀'.repeat(129)),
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
