import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { folderWith } from '../../../test/support/folders.js';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { startDecidingProxy } from './support/deciding-proxy.js';
import { accounts, LoaderWorld, type LoaderEnd } from './support/loader.js';
import {
  errorCell,
  formatted,
  formula,
  workbookOf,
  type WrittenCell,
} from '../../files/test/support/workbook.js';
import { zipOf } from '../../files/test/support/zip.js';

const service = setUp(sharedService);

const HEADER = ['external_account_number', 'transaction_id', 'transaction_date', 'amount', 'type', 'reason'];
const DAY = formatted(46331, 1);
const row = (account: string, id: WrittenCell, amount: WrittenCell = 12.5): WrittenCell[] => [
  ...[account, id, DAY, amount],
  ...['CHARGE', 'IMPORTED_CHARGE'],
];
const workbook = (...rows: WrittenCell[][]): Buffer =>
  workbookOf([{ name: 'Data', rows: [HEADER, ...rows] }], { formats: ['dd/mm/yyyy'] });
const csv = (account: string, id: string): string =>
  `${HEADER.join()}\n${account},${id},2026-11-05,12.50,CHARGE,IMPORTED_CHARGE\n`;

async function worldOf(
  count: number,
  files: (numbers: readonly string[]) => Readonly<Record<string, Buffer>>,
): Promise<{ world: LoaderWorld; numbers: readonly string[]; unpacked: () => string[] }> {
  const numbers = accounts(count);
  const world = await LoaderWorld.create(service, numbers, {});
  for (const [name, bytes] of Object.entries(files(numbers))) writeFileSync(join(world.folder, name), bytes);
  const path = join(world.folder, '.data-import-loader', 'unpacked');
  return { world, numbers, unpacked: () => (existsSync(path) ? readdirSync(path) : []) };
}

function mappingFile(content: object): string {
  const path = join(folderWith({ 'mapping.json': JSON.stringify(content) }), 'mapping.json');
  return path;
}

describe('workbooks and archives', () => {
  it('are loaded, corrected and proved like other files, and leave no copies (L1, L2, L6, L10, L14)', async () => {
    const { world, numbers, unpacked } = await worldOf(2, ([a = '', b = '']) => ({
      'parts.zip': zipOf([
        { name: 'export/transactions-1.csv', content: csv(a, 'Z-1') },
        { name: 'export/transactions-2.csv.gz', content: gzipSync(csv(b, 'Z-2')) },
        { name: 'export/transactions-3.xlsx', content: workbook(row(a, 'Z-3')) },
      ]),
      'transactions.csv': Buffer.from(csv(b, '#N/A')),
      'transactions-4.xlsx': workbook(
        row(b, 'X-1', formula('10+2.5', 12.5)),
        row(a, { xml: '><v>4500000000000123</v></c>' }),
        row(a, 'X-3', errorCell('#N/A')),
        row(b, 'X-4', 12.345),
      ),
    }));
    const [a = '', b = ''] = numbers;
    const first = await world.json('load');
    expect(first).toMatchObject({ code: 1, result: { read: 8, loaded: 5, failed: 3 } });
    expect(unpacked()).toEqual([]);
    const line = (account: string, id: string, amount: string): string =>
      `${account},${id},2026-11-05,${amount},CHARGE,IMPORTED_CHARGE\n`;
    const header = `${HEADER.join()}\n`;
    expect(world.read('failures', 'transactions-xlsx.csv')).toBe(
      header +
        line(a, '#DIGITS! 4.50000000000012E+15', '12.5') +
        line(a, 'X-3', '#N/A') +
        line(b, 'X-4', '12.345'),
    );
    const errors = world.read('failures', 'transactions.errors.csv');
    expect(errors).toContain(
      `transactions-4.xlsx,3,${a},invalid,transaction_id,"Column 2 (transaction_id) is a whole number of more`,
    );
    expect(errors).toContain(
      `transactions-4.xlsx,4,${a},invalid,amount,"Column 4 (amount) is an error of a formula. Seen: ""#N/A"""`,
    );
    expect(errors).toContain(`transactions-4.xlsx,5,${b},max_decimal_places,amount,`);

    // What is not corrected fails again.
    const corrected =
      header + line(a, '4500000000000123', '12.5') + line(a, 'X-3', '#N/A') + line(b, 'X-4', '12.34');
    writeFileSync(join(world.folder, 'failures', 'transactions-xlsx.csv'), corrected);
    expect(await world.json('retry')).toMatchObject({ code: 1, result: { read: 8, loaded: 7, failed: 1 } });
    expect(await world.verify()).toMatchObject({
      code: 1,
      result: {
        rows: { matched: 7, different: 0, missing: 1, unexpected: 0 },
        differences: [{ file: 'transactions-4.xlsx', line: 4, problem: 'missing' }],
      },
    });
    expect(unpacked()).toEqual([]);
    writeFileSync(
      join(world.folder, 'failures', 'transactions-xlsx.csv'),
      `${header}${line(a, 'X-3', '12.5')}`,
    );
    expect(await world.json('retry')).toMatchObject({ code: 0, result: { read: 8, loaded: 8, failed: 0 } });
    const sha256 = createHash('sha256')
      .update(readFileSync(join(world.folder, 'transactions-4.xlsx')))
      .digest('hex');
    expect(JSON.parse(world.read('loaded.json'))).toMatchObject({
      rows: { transactions: 8 },
      files: expect.arrayContaining([
        expect.objectContaining({ name: 'transactions-4.xlsx', sha256 }),
      ]) as object,
    });
    expect(await world.verify()).toMatchObject({ code: 0, result: { rows: { matched: 8 } } });
    expect(await world.json('load')).toMatchObject({ code: 0, result: { read: 8, loaded: 8 } });
    expect(await world.json('status')).toMatchObject({ code: 0, result: { read: 8, loaded: 8 } });
    const rows = await service.database.sql<{ id: string; day: string; amount: string }>(
      `SELECT transaction_id AS id, transaction_date::text AS day, amount::text FROM transaction
        WHERE external_account_number = ANY($1) ORDER BY 1`,
      [numbers],
    );
    expect(rows.map(({ id, day, amount }) => `${id} ${day} ${amount}`)).toEqual([
      '#N/A 2026-11-05 12.50',
      '4500000000000123 2026-11-05 12.50',
      'X-1 2026-11-05 12.50',
      'X-3 2026-11-05 12.50',
      'X-4 2026-11-05 12.34',
      'Z-1 2026-11-05 12.50',
      'Z-2 2026-11-05 12.50',
      'Z-3 2026-11-05 12.50',
    ]);
  });

  it('go on where they were interrupted, with the copies that are there or others (L1, L5)', async () => {
    const { world, numbers, unpacked } = await worldOf(3, (all) => ({
      'parts.zip': zipOf([
        { name: 'transactions-1.csv', content: csv(all[0] ?? '', 'Z-1') },
        // The rows of an account are not together, so they are sorted too.
        { name: 'transactions-2.xlsx', content: workbook(...all.map((account) => row(account, 'Z-2'))) },
      ]),
    }));
    expect(await world.json('status')).toMatchObject({ code: 0, result: { read: 4, unsent: 4 } });
    const dry = await world.json('load', ['--dry-run']);
    expect(dry).toMatchObject({ code: 0, result: { read: 4 } });
    const kept = unpacked();
    expect(kept).toHaveLength(3);
    expect(await world.json('load', ['--limit', '1'])).toMatchObject({
      code: 0,
      result: { loaded: 2, unsent: 2 },
    });
    expect(unpacked()).toEqual(kept);
    rmSync(join(world.folder, '.data-import-loader', 'unpacked'), { recursive: true });
    expect(await world.json('load', ['--limit', '2'])).toMatchObject({
      code: 0,
      result: { loaded: 3, unsent: 1 },
    });
    expect(await world.json('load')).toMatchObject({ code: 0, result: { loaded: 4, already: 0 } });
    expect(unpacked()).toEqual([]);
    expect(await world.stored('transaction')).toEqual({
      [numbers[0]!]: 2,
      [numbers[1]!]: 1,
      [numbers[2]!]: 1,
    });
  });

  it('are refused as a whole where a member is damaged or cannot be read, before anything is sent (L1, L8)', async () => {
    const { world } = await worldOf(1, ([a = '']) => ({
      'transactions.csv': Buffer.from(csv(a, 'L-1')),
      'parts.zip': zipOf([
        { name: 'transactions-2.csv', content: csv(a, 'L-2'), crc: 1 },
        { name: 'transactions-3.csv', content: csv(a, 'L-3'), flags: 1 },
        { name: '../transactions-4.csv', content: csv(a, 'L-4') },
      ]),
    }));
    for (const command of ['load', 'verify']) {
      const { code, stderr } = await world.run(command);
      expect(code).toBe(2);
      expect(stderr).toContain('  parts.zip/transactions-3.csv: it is encrypted');
      expect(stderr).toContain('  parts.zip/../transactions-4.csv: its name leads out of the archive');
      const ignored = ['--ignore', 'transactions-3.csv', '--ignore', 'transactions-4.csv'];
      const left = await world.run(command, ignored);
      expect(left).toMatchObject({ code: 2, stdout: '' });
      expect(left.stderr).toContain('parts.zip/transactions-2.csv is damaged: its checksum');
    }
    expect(await world.stored('transaction')).toEqual({});
    const left = await world.json('load', ['--ignore', '*.zip']);
    expect(left).toMatchObject({ code: 0, result: { read: 1, loaded: 1 } });
  });

  it('have the lines of charges among them, which are whole (L1, L2, L6, L14)', async () => {
    const lines = ['charge', 'start_date', 'end_date', 'number_of_units', 'net_amount'];
    const sheet = (...rows: WrittenCell[][]): Buffer =>
      workbookOf([{ name: 'S', rows }], { formats: ['dd/mm/yyyy'] });
    const { world, unpacked } = await worldOf(1, ([a = '']) => ({
      'charges.xlsx': sheet(['account', 'id', 'transaction_date', 'amount'], [a, 'C-1', DAY, 3.5]),
      'parts.zip': zipOf([
        { name: 'lines-1.csv', content: `${lines.join()}\nC-1,2026-10-01,2026-10-31,1,1.25\n` },
        {
          name: 'lines-2.xlsx',
          content: sheet(lines, ['C-1', DAY, DAY, 2, 2.25], ['C-9', DAY, DAY, 1, 1]),
        },
      ]),
    }));
    const fields = {
      external_account_number: 'account',
      transaction_id: 'id',
      line_items: { from: 'lines-*', key: { charge: 'id' } },
    };
    const constants = { type: 'SUPPLY_CHARGE', product_code: 'GAS' };
    const entry = { match: 'charges.xlsx', kind: 'transactions', fields, constants };
    const options = ['--mapping', mappingFile({ files: [entry] })];
    const { code, result } = await world.json('load', options);
    expect({ code, result }).toMatchObject({ code: 1, result: { read: 2, loaded: 1, failed: 1 } });
    expect(world.read('failures', 'transactions.errors.csv')).toContain(
      'parts.zip/lines-2.xlsx,3,,no_parent_row,line_items,',
    );
    expect((await world.verify(options)).result.rows).toMatchObject({ matched: 1, missing: 1, different: 0 });
    expect(unpacked()).toEqual([]);
  });

  it('that change are named by their own names; another sheet is another mapping (L8, L11)', async () => {
    const { world, numbers } = await worldOf(1, ([a = '']) => ({
      'Ledger.xlsx': workbookOf(
        ['2024', '2025'].map((name) => ({ name, rows: [HEADER, row(a, name)] })),
        { formats: ['dd/mm/yyyy'] },
      ),
      'parts.zip': zipOf([{ name: 'transactions.csv', content: csv(a, 'Z-1') }]),
    }));
    const mapping = (sheet: string): string[] => [
      '--mapping',
      mappingFile({ files: [{ match: 'Ledger.xlsx', kind: 'transactions', form: { sheet } }] }),
    ];
    const proxy = await startDecidingProxy(service.baseUrl, ({ body }) => {
      if (body.includes('Z-1')) appendFileSync(join(world.folder, 'parts.zip'), 'more');
      return undefined;
    });
    const load = (sheet: string): Promise<LoaderEnd> => world.run('load', mapping(sheet), proxy);
    const wrong = await load('2023');
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('Ledger.xlsx has no sheet "2023"; it has "2024", "2025".');
    const grown = await load('2025');
    expect({ code: grown.code, stderr: grown.stderr }).toMatchObject({ code: 3 });
    expect(grown.stderr).toContain('Ledger.xlsx: the sheet "2025" is read, and not "2024".\n');
    expect(grown.stderr).toContain('\n  parts.zip has grown by 4 bytes\n');
    expect(await world.stored('transaction')).toEqual({ [numbers[0]!]: 2 });
    const bytes = zipOf([{ name: 'transactions.csv', content: csv(numbers[0]!, 'Z-1') }]);
    writeFileSync(join(world.folder, 'parts.zip'), bytes);
    const other = await load('2024');
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('The mapping of transactions is not the one with which they were loaded');
    writeFileSync(
      join(world.folder, 'parts.zip'),
      zipOf([{ name: 'transactions.csv', content: csv('x', 'Z-1') }]),
    );
    const changed = await load('2025');
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain('parts.zip/transactions.csv was changed.');
  });
});
