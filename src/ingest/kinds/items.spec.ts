import { IMPORT_KINDS, ITEM_NAMES } from '../../infrastructure/item-names/item-names.js';
import { ITEMS, countedAs } from './items.js';

describe('kinds of items', () => {
  it('have distinct names', () => {
    for (const property of ['request', 'section', 'table', 'label'] as const) {
      expect(new Set(Object.values(ITEMS).map((kind) => kind[property])).size).toBe(ITEM_NAMES.length);
    }
  });

  it('are found by the kind of an import request', () => {
    expect(IMPORT_KINDS.map(countedAs)).toEqual(ITEM_NAMES);
    expect(() => countedAs('letters' as 'notes')).toThrow('No item is imported by letters.');
  });
});
