import fc from 'fast-check';
import { withExactNumbers } from './item-json.js';
import { runs } from '../../../test/support/runs.js';

/** An item as PostgreSQL writes it; its lists are the text that the service stored. */
function itemText(note: string, unit: string, number: string): string {
  const lines = `[{"rate_band":${JSON.stringify(unit)},"net_amount":${number},"units":[${number},${number}]},{"units":[${number}]}]`;
  return `{"note":${JSON.stringify(note)},"line_items":${lines},"tax_items":null,"is_pinned":true,"product_code":${JSON.stringify(unit)}}`;
}

const TEXT = fc.string({
  unit: fc.constantFrom('"', '\\', ':', ' ', ',', '{', '[', ']', '5', '-', '.', 'a', '_'),
});

it('writes the numbers within the lists of an item as strings, and changes nothing else', () => {
  const examples: [string, string][] = [
    [':5', '"net_amount":5'],
    ['a":[5]', '\\":5'],
    ['","a":5', '\\'],
    ['"a":[5,-7]', '"a":7'],
  ];
  fc.assert(
    fc.property(TEXT, TEXT, (note, unit) => {
      for (const number of ['0', '-7', '1.50', '-0.100000000000000000001']) {
        expect(withExactNumbers(itemText(note, unit, number))).toBe(itemText(note, unit, `"${number}"`));
      }
    }),
    { numRuns: runs(300), examples },
  );
});
