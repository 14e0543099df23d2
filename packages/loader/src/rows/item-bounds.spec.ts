import fc from 'fast-check';
import { NO_MAPPING } from '@data-import/files';
import { folderWith } from '../../../../test/support/folders.js';
import { itemOf } from '../../../../test/support/large-items.js';
import { rowsIn } from '../../test/support/rows.js';
import { ITEM_BYTES_MAX } from '../kinds/contract.generated.js';

const rowOf = (json: string): string =>
  json.replaceAll('\n', ' ').replace('{', '{"external_account_number":"A",');

it('a row of 256 KiB is sent, however it is written, and a larger one refused by its line (T19)', async () => {
  await fc.assert(
    fc.asyncProperty(itemOf(ITEM_BYTES_MAX), itemOf(ITEM_BYTES_MAX + 1), async (item, larger) => {
      fc.pre(item.list === larger.list);
      const name = `${item.list}.ndjson`;
      const folder = folderWith({ [name]: `${rowOf(item.json)}\n${rowOf(larger.json)}\n` });
      const rows = await rowsIn({ folder, kind: item.list, mapping: NO_MAPPING }, name);
      expect(rows.map(({ error, origin }) => [origin.line, error?.code])).toEqual([
        [1, undefined],
        [2, 'max_length'],
      ]);
    }),
    { numRuns: 12 },
  );
});

it.each([
  [
    'documents of a note',
    'notes',
    { document_paths: Array(101).fill({ document_path: 'a'.repeat(30) }) },
    'document_paths',
  ],
  [
    'units of a line',
    'transactions',
    { line_items: [{}, { units: Array(101).fill(1e20) }] },
    'line_items.1.units',
  ],
] as const)('a row with too many %s is refused at the list (T19)', async (_what, kind, item, attr) => {
  const name = `${kind}.ndjson`;
  const folder = folderWith({ [name]: rowOf(JSON.stringify(item)) });
  const [row] = await rowsIn({ folder, kind, mapping: NO_MAPPING }, name);
  expect(row?.error).toMatchObject({ code: 'max_length', attr });
});
