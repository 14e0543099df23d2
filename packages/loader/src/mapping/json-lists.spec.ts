import { jsonLists } from './json-lists.js';

const NESTED = JSON.stringify({
  supplier: { accountNumber: 'X' },
  customers: [
    { accountNumber: '1', bills: [{ id: 'B-1', lines: [{ net: 1 }], total: { net: '1,5' } }], notes: [] },
    { accountNumber: '2', bills: [], notes: [{ text: 'a, "b" ]' }] },
  ],
});

describe('the lists of a JSON document', () => {
  it.each([
    ['[{"account":"1"}]', { '[]': ['account'] }],
    [
      NESTED,
      {
        'customers[]': ['accountNumber', 'bills', 'notes'],
        'customers[].bills[]': ['id', 'lines', 'total.net', '^.accountNumber'],
        'customers[].bills[].lines[]': ['net', '^.^.accountNumber'],
        'customers[].notes[]': ['text', '^.accountNumber'],
      },
    ],
    [
      '{"konto":{"kontonummer":"1","data":{"buchungen":[{"nr":1},{"nr":2}',
      { 'konto.data.buchungen[]': ['nr', '^.^.kontonummer'] },
    ],
    ['{"a":[1,2],"b":[],"c":"x","d.e":[{"id":1}]}', {}],
    ['no JSON', {}],
    ['{"a":[{"id":1},{"id"', { 'a[]': ['id'] }],
  ])('%s (L3, L11)', (text, expected) => {
    const found = jsonLists(text).map(
      ({ path, columns }) => [path, columns.map(({ name }) => name)] as const,
    );
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  it('is found in the beginning of a document, wherever it is cut off', () => {
    const all = jsonLists(NESTED).map(({ path }) => path);
    const cut = Array.from(`${NESTED} `, (_, length) =>
      jsonLists(NESTED.slice(0, length)).map(({ path }) => path),
    );
    expect(new Set(cut.flat())).toEqual(new Set(all));
  });
});
