import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../../../test/support/folders.js';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { workbookOf } from '../../files/test/support/workbook.js';
import { accounts, LoaderWorld } from './support/loader.js';

const service = setUp(sharedService);
const [a = '', b = ''] = accounts(2);

const transactions = (
  match: string,
  form: object,
  fields: readonly unknown[],
  more: object = {},
): object => ({
  ...{ match, kind: 'transactions', form, constants: { type: 'CHARGE', reason: 'IMPORTED_CHARGE' }, ...more },
  fields: Object.fromEntries(
    ['external_account_number', 'transaction_id', 'transaction_date', 'amount'].map((name, at) => [
      name,
      fields[at],
    ]),
  ),
});
const notes = (match: string, form: object, account: string, body: string): object => ({
  ...{ match, kind: 'notes', form },
  fields: { external_account_number: account, body, created_at: { constant: '2026-11-02T00:00:00Z' } },
});

/** A nested document, whose accounts stand behind their lists. */
const DOCUMENT = `{"customers": [\n {"bills": [\n  {"id": "B-1", "on": "2026-11-05", "total": {"gross": 12.50}}, {"id": "B-2", "on": "2026-11-06", "total": {"gross": "x"}}],\n  "account": "${a}", "notes": [{"text": "called"}]}]}`;
const BILL = ['^.account', 'id', 'on', { column: 'total.gross', amount: {} }];

/** Lines of fixed width. */
const LEDGER = `01${b}\n10L-1 20261105   12.50\n10L-2 20261106   1250}\n99\n`;
const WIDTHS = {
  positions: { type: [1, 2], id: [3, 6], day: [7, 14], sum: [15, 22] },
  leave_out: { type: '99' },
  carry: { rows: { type: '01' }, positions: { account: [3, 2 + b.length] } },
};

/** A workbook with two sheets of one kind and one of another. */
const SHEET = ['Account', 'Id', 'Booked', 'Amount'];
const BAD = [b, 'X-3', '07/11/2026', 'x'];
const WORKBOOK = workbookOf([
  { name: '2025/26', rows: [SHEET, [a, 'X-1', '05/11/2026', 12.5]] },
  { name: '2026', rows: [SHEET, [a, 'X-2', '06/11/2026', 7], BAD] },
  { name: 'Notes', rows: ['Account,Text', `${b},called`].map((row) => row.split(',')) },
]);
const BOOKED = ['Account', 'Id', { column: 'Booked', dates: 'DD/MM/YYYY' }, 'Amount'];

const MAPPING = {
  files: [
    transactions('*.json', { records: 'customers[].bills[]' }, BILL),
    notes('*.json', { records: 'customers[].notes[]' }, '^.account', 'text'),
    transactions('*.TXT', WIDTHS, ['account', 'id', { column: 'day', dates: 'YYYYMMDD' }, 'sum'], {
      rows: { type: ['10'] },
    }),
    ...['2025/26', '2026'].map((sheet) => transactions('*.xlsx', { sheet }, BOOKED)),
    notes('*.xlsx', { sheet: 'Notes' }, 'Account', 'Text'),
  ],
};

/** The failed rows by the file in which they are given back. */
const FAILURES = {
  'transactions.ndjson': `{"^.account":"${a}","id":"B-2","on":"2026-11-06","total.gross":"x"}\n`,
  'transactions.txt': `01${b}\n10L-2 20261106   1250}\n`,
  'transactions-xlsx-2026.csv': `${SHEET.join()}\n${BAD.join()}\n`,
};

it('a document, lines of fixed width and a workbook are tried, loaded, corrected and proved (L1, L2, L6, L7, L11, V9)', async () => {
  const world = await LoaderWorld.create(service, [a, b], { 'export.json': DOCUMENT, 'LEDGER.TXT': LEDGER });
  writeFileSync(join(world.folder, 'Ledger.xlsx'), WORKBOOK);
  const options = ['--mapping', join(folderWith({ 'm.json': JSON.stringify(MAPPING) }), 'm.json')];
  const counts = { read: 9, loaded: 6, failed: 3 };
  for (const more of [['--dry-run'], []]) {
    const { code, result } = await world.json('load', [...options, ...more]);
    expect({ code, result }).toMatchObject({ code: 1, result: counts });
  }
  const errors = world.read('failures', 'transactions.errors.csv');
  expect(errors).toMatch(/^file,line,external_account_number,code,attr,detail,sheet\n/);
  for (const line of [
    `export.json,3,${a},invalid,amount,`,
    `LEDGER.TXT,3,${b},invalid,amount,"Column 15-22 (sum) is packed, binary`,
    `Ledger.xlsx,3,${b},invalid,amount,"Column 4 (Amount) is`,
    ',2026\n',
  ])
    expect(errors).toContain(line);
  for (const [name, content] of Object.entries(FAILURES)) expect(world.read('failures', name)).toBe(content);
  const missing = await world.verify(options);
  expect(missing).toMatchObject({ code: 1, result: { rows: { matched: 6, missing: 3 } } });
  const places = missing.result.differences.map(({ file, sheet, line }) => `${file} ${sheet} ${line}`);
  expect(places.sort()).toEqual(['LEDGER.TXT null 3', 'Ledger.xlsx 2026 3', 'export.json null 3']);

  for (const name of Object.keys(FAILURES)) {
    const path = join(world.folder, 'failures', name);
    writeFileSync(
      path,
      readFileSync(path, 'utf8')
        .replace(/"x"|(?<=,)x/, '7')
        .replace('1250}', '12.50'),
    );
  }
  expect(await world.json('retry', options)).toMatchObject({ code: 0 });
  expect(world.read('corrected', 'transactions.replaces.csv')).toMatch(
    /^file,line,corrected_file,corrected_line,sheet/,
  );
  expect(await world.json('load', options)).toMatchObject({ code: 0, result: { read: 9, failed: 0 } });
  const proved = await world.verify(options);
  expect({ code: proved.code, stderr: proved.stderr }).toMatchObject({ code: 0 });
  expect(proved.result.rows).toEqual({ matched: 9, different: 0, missing: 0, unexpected: 0 });
  expect((await world.run('verify', [...options, '--report', join(world.folder, 'r.html')])).code).toBe(0);
});
