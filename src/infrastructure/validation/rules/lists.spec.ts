import fc from 'fast-check';
import { describeRules, expectSchema, named } from '../../../../test/support/rules.js';
import { list } from './lists.js';

describeRules([
  [
    'a list with the configured number of items (T15)',
    list({ min: 1 }),
    [
      [[], 'min_length'],
      ...named('right', [1], [1, 2, 3]),
      [[1, 2, 3, 4], 'max_length'],
      ...named('invalid', { length: 1 }, 'abc'),
      [null, 'null'],
    ],
  ],
  [
    'a list with its own limit',
    list({ min: 0, max: 4 }),
    [...named('right', [], [1, 2, 3, 4]), [[1, 2, 3, 4, 5], 'max_length']],
  ],
]);

it('publishes a schema that accepts every value that the rule accepts', () => {
  expectSchema(list({ min: 1 }), fc.array(fc.nat()));
});
