import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../../../test/support/folders.js';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { mapFile } from '../src/commands/map.js';
import { accounts, LoaderWorld } from './support/loader.js';
import { formatted, workbookOf, type WrittenCell } from './support/workbook.js';
import { zipOf } from './support/zip.js';

const service = setUp(sharedService);

const DAY = formatted(46331, 1);
const CHARGES = ['rec', 'account_no', 'charge_no', 'date', 'amount', 'text'];
const LINES = ['charge_no', 'start_date', 'end_date', 'number_of_units', 'net_amount'];

const MAPPING = {
  files: [
    {
      match: 'export.xlsx',
      kind: 'transactions',
      rows: { rec: ['T'] },
      fields: {
        external_account_number: 'account_no',
        transaction_id: 'charge_no',
        transaction_date: 'date',
        line_items: { from: 'lines-*', key: { charge_no: 'charge_no' } },
      },
      constants: { type: 'SUPPLY_CHARGE', product_code: 'ELECTRICITY' },
      ignore: ['text'],
    },
    {
      match: 'export.xlsx',
      kind: 'notes',
      rows: { rec: ['N'] },
      fields: { external_account_number: 'account_no', body: 'text' },
      constants: { created_at: '2026-11-02T09:30:00Z' },
      ignore: ['charge_no', 'date', 'amount'],
    },
  ],
};

const sheet = (...rows: WrittenCell[][]): Buffer =>
  workbookOf([{ name: 'Data', rows }], { formats: ['dd/mm/yyyy'] });

/** One workbook with charges and notes, and the lines of the charges in an archive, as CSV and in a workbook. */
function filesOf(account: string): Record<string, Buffer> {
  const charge = (id: WrittenCell): WrittenCell[] => ['T', account, id, DAY, 12.5, null];
  const rounded = { xml: '><v>4500000000000123</v></c>' };
  return {
    'export.xlsx': sheet(
      CHARGES,
      charge('C-1'),
      ['N', account, null, null, null, 'Called'],
      charge('C-2'),
      charge(rounded),
      ['X', account, null, null, null, null],
    ),
    'parts.zip': zipOf([
      {
        name: 'lines-1.csv',
        content: `${LINES.join()}\nC-2,2026-10-01,2026-10-31,1,2.50\nC-1,2026-10-01,2026-10-31,1,1.25\n`,
      },
      {
        name: 'lines-2.xlsx',
        content: sheet(
          LINES,
          ['C-1', formatted(46296, 1), formatted(46326, 1), 2, 2.25],
          ['C-9', DAY, DAY, 1, 1],
          [rounded, DAY, DAY, 1, 1],
        ),
      },
    ]),
  };
}

async function given(): Promise<{ world: LoaderWorld; account: string; options: readonly string[] }> {
  const [account = ''] = accounts(1);
  const world = await LoaderWorld.create(service, [account], {});
  for (const [name, bytes] of Object.entries(filesOf(account)))
    writeFileSync(join(world.folder, name), bytes);
  const mapping = join(folderWith({ 'mapping.json': JSON.stringify(MAPPING) }), 'mapping.json');
  return { world, account, options: ['--mapping', mapping] };
}

describe('charges of a workbook with notes, and their lines in an archive', () => {
  it('are loaded whole, corrected whole and proved, and leave no copies (L1, L2, L6, L11, L14)', async () => {
    const { world, account, options } = await given();
    const first = await world.json('load', options);
    expect(first).toMatchObject({ code: 1, result: { read: 7, loaded: 3, failed: 4, unsent: 0 } });
    const lines = await service.database.sql<{ id: string; nets: number[] }>(
      `SELECT transaction_id AS id, ARRAY(SELECT (line ->> 'net_amount')::float FROM jsonb_array_elements(line_items) line) AS nets
         FROM transaction WHERE external_account_number = $1 ORDER BY 1`,
      [account],
    );
    expect(lines.map(({ id, nets }) => [id, nets])).toEqual([
      ['C-1', [1.25, 2.25]],
      ['C-2', [2.5]],
    ]);
    expect(await world.stored('note')).toEqual({ [account]: 1 });
    const errors = world.read('failures', 'transactions.errors.csv').trimEnd().split('\n').slice(1);
    expect(errors.map((line) => line.split(',').slice(0, 5))).toEqual([
      ['export.xlsx', '6', '', 'invalid', ''],
      ['parts.zip/lines-2.xlsx', '3', '', 'no_parent_row', 'line_items'],
      ['parts.zip/lines-2.xlsx', '4', '', 'invalid', ''],
      ['export.xlsx', '5', account, 'invalid', 'transaction_id'],
    ]);

    const [none = '', orphan = '', rounded = '', charge = ''] = world
      .read('failures', 'transactions.ndjson')
      .split('\n');
    const item = '{"start_date":"2026-10-01","end_date":"2026-10-31","number_of_units":1,"net_amount":1}';
    const corrected = charge
      .replace(/"transaction_id":"[^"]*"/, '"transaction_id":"4500000000000123"')
      .replace(/\}$/, `,"line_items":[${item}]}`);
    writeFileSync(
      join(world.folder, 'failures', 'transactions.ndjson'),
      [none, orphan, rounded, corrected, ''].join('\n'),
    );
    expect(await world.json('retry', options)).toMatchObject({
      code: 1,
      result: { read: 7, loaded: 4, failed: 3 },
    });
    expect(await world.json('status', options)).toMatchObject({ result: { loaded: 4, failed: 3 } });
    expect(await world.verify(options)).toMatchObject({
      result: { rows: { matched: 4, missing: 3, different: 0, unexpected: 0 } },
    });
    const unpacked = join(world.folder, '.data-import-loader', 'unpacked');
    expect(existsSync(unpacked) ? readdirSync(unpacked) : []).toEqual([]);
  });

  it('are found by map (L3, L11)', async () => {
    const { world } = await given();
    const { mapping, rows } = await mapFile(world.folder, {});
    expect(mapping.files.map(({ match, kind, rows: own }) => [match, kind, own])).toEqual([
      ['export.xlsx', 'notes', { rec: ['N'] }],
      ['export.xlsx', 'transactions', { rec: ['T'] }],
    ]);
    expect(mapping.files[1]?.fields?.line_items).toMatchObject({
      from: ['parts.zip/lines-1.csv', 'parts.zip/lines-2.xlsx'],
      key: { charge_no: 'charge_no' },
    });
    expect(rows).toContainEqual(
      expect.objectContaining({ list: 'line_items', origin: { file: 'parts.zip/lines-2.xlsx', line: 2 } }),
    );
  });
});
