import { jsonLists } from './json-lists.js';

const NESTED = JSON.stringify({
  supplier: { accountNumber: 'X' },
  customers: [
    { accountNumber: '1', bills: [{ id: 'B-1', lines: [{ net: 1 }] }], notes: [] },
    { accountNumber: '2', bills: [], notes: [{ text: 'a, "b" ]' }] },
  ],
});

describe('the lists of a JSON document', () => {
  it.each([
    ['[{"account":"1"}]', { '[]': [] }],
    [
      NESTED,
      {
        'customers[]': [],
        'customers[].bills[]': ['^.accountNumber'],
        'customers[].bills[].lines[]': ['^.^.accountNumber'],
        'customers[].notes[]': ['^.accountNumber'],
      },
    ],
    [
      '{"konto":{"kontonummer":"1","data":{"buchungen":[{"nr":1},{"nr":2}',
      { 'konto.data.buchungen[]': ['^.^.kontonummer'] },
    ],
    ['{"a":[1,2],"b":[],"c":"x","d.e":[{"id":1}]}', {}],
    ['no JSON', {}],
    ['{"a":[{"id":1},{"id"', { 'a[]': [] }],
  ])('%s (L3, L11)', (text, expected) => {
    expect(Object.fromEntries(jsonLists(text).map(({ path, ofParents }) => [path, ofParents]))).toEqual(
      expected,
    );
  });

  it('is found in the beginning of a document, wherever it is cut off', () => {
    const all = jsonLists(NESTED).map(({ path }) => path);
    const cut = Array.from(NESTED, (_, length) => jsonLists(NESTED.slice(0, length)).map(({ path }) => path));
    expect(new Set(cut.flat())).toEqual(new Set(all));
  });
});
