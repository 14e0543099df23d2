import fc from 'fast-check';
import { withExactNumbers } from './item-json.js';

/** As PostgreSQL writes an item: no space after the key of a member, and one after a key within a list. */
function itemText(note: string, unit: string, rate: string): string {
  return `{"note":${JSON.stringify(note)},"line_items":[{"units": ${JSON.stringify(unit)}, "net_amount": ${rate}}],"tax_items":null}`;
}

describe('numbers within the lists of an item', () => {
  it.each([
    [': 5', 'kWh'],
    ['"net_amount": 5', 'kWh'],
    ['\\": 5', '\\'],
    ['", "a": 5', ': 7'],
    ['a', '"a": 7'],
  ])('are texts, and texts that look like them stay: %j, %j', (note, unit) => {
    expect(JSON.parse(withExactNumbers(itemText(note, unit, '-0.100000000000000000001')))).toEqual({
      note,
      line_items: [{ units: unit, net_amount: '-0.100000000000000000001' }],
      tax_items: null,
    });
  });

  it('are the only thing that is changed', () => {
    const alphabet = fc.string({
      unit: fc.constantFrom('"', '\\', ':', ' ', ',', '{', '[', '5', '-', '.', 'a', '_'),
    });
    fc.assert(
      fc.property(alphabet, alphabet, (note, unit) => {
        expect(JSON.parse(withExactNumbers(itemText(note, unit, '1.50')))).toEqual({
          note,
          line_items: [{ units: unit, net_amount: '1.50' }],
          tax_items: null,
        });
      }),
      { numRuns: 2_000 },
    );
  });
});
