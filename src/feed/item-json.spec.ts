import fc from 'fast-check';
import { withExactNumbers } from './item-json.js';

/** As PostgreSQL writes an item, whose lists have the text that the service stored. */
function itemText(note: string, unit: string, number: string): string {
  const lines = `[{"rate_band":${JSON.stringify(unit)},"net_amount":${number},"units":[${number},${number}]},{"units":[${number}]}]`;
  return `{"note":${JSON.stringify(note)},"line_items":${lines},"tax_items":null,"is_pinned":true,"product_code":${JSON.stringify(unit)}}`;
}

const TEXT = fc.string({
  unit: fc.constantFrom('"', '\\', ':', ' ', ',', '{', '[', ']', '5', '-', '.', 'a', '_'),
});

describe('numbers within the lists of an item', () => {
  it.each([
    [':5', 'kWh'],
    ['"net_amount":5', 'a":[5]'],
    ['\\":5', '\\'],
    ['","a":5', ':7'],
    ['a', '"a":7'],
    ['"a":[5,-7]', '[5,-7]'],
  ])('are texts, and texts that look like them stay: %j, %j', (note, unit) => {
    const number = '-0.100000000000000000001';
    expect(withExactNumbers(itemText(note, unit, number))).toBe(itemText(note, unit, `"${number}"`));
  });

  it('are the only thing that is changed', () => {
    fc.assert(
      fc.property(TEXT, TEXT, fc.constantFrom('1.50', '-7', '0'), (note, unit, number) => {
        expect(withExactNumbers(itemText(note, unit, number))).toBe(itemText(note, unit, `"${number}"`));
      }),
      { numRuns: 5_000 },
    );
  });
});
