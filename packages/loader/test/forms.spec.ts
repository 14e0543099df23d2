import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderWith } from '../../../test/support/folders.js';
import { onlyWith } from '../../../test/support/service-process.js';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { workbookOf } from '../../files/test/support/workbook.js';
import { accounts, LoaderWorld } from './support/loader.js';
import { PROGRAM } from './support/program.js';

const service = setUp(sharedService);

interface Made {
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly entries: readonly object[];
  /** By name what stands in `failures/`, and lines of `transactions.errors.csv`. */
  readonly failures: Readonly<Record<string, string>>;
  readonly errors: readonly string[];
  /** How many rows there are, and how many of transactions fail. */
  readonly read: number;
  readonly failed: number;
  /** Where the first row of the failures stands. */
  readonly first: object;
}

const CONSTANTS = { type: 'CHARGE', reason: 'IMPORTED_CHARGE' };
const fields = (account: string, id: string, day: unknown, amount: unknown): object => ({
  ...{ external_account_number: account, transaction_id: id, transaction_date: day, amount },
});
const GERMAN = { decimal: ',' };

/** A German extract in parts, of which only the first has a header, which is repeated. */
const german = ([a = '', b = '']: readonly string[]): Made => ({
  files: {
    'Buchungen_1.csv': Buffer.from(
      `Konto;Nr;Tag;Betrag\n${a};L-1;05.11.2026;1.234,50\nKonto;Nr;Tag;Betrag\n${b};Ä-2;06.11.2026;7,00\n`,
      'latin1',
    ),
    'Buchungen_2.csv': Buffer.from(`${a};L-3;07.11.2026;x\n`, 'latin1'),
  },
  entries: [
    {
      ...{ match: 'Buchungen_*.csv', kind: 'transactions', constants: CONSTANTS },
      form: {
        ...{ delimiter: ';', encoding: 'windows-1252', header: ['Konto', 'Nr', 'Tag', 'Betrag'] },
        repeated_header: 'leave_out',
      },
      fields: fields(
        'Konto',
        'Nr',
        { column: 'Tag', dates: 'DD.MM.YYYY' },
        { column: 'Betrag', amount: GERMAN },
      ),
    },
  ],
  failures: { 'transactions.csv': `${a};L-3;07.11.2026;x\n` },
  errors: [`Buchungen_2.csv,1,${a},invalid,amount,`],
  ...{ read: 3, failed: 1, first: { file: 'Buchungen_2.csv', sheet: null, line: 1 } },
});

const SHEET = ['Account', 'Id', 'Booked', 'Amount'];

/** A British workbook with two sheets of one kind and one of another. */
const british = ([a = '', b = '']: readonly string[]): Made => {
  const entry = (sheet: string): object => ({
    ...{ match: '*.xlsx', kind: 'transactions', form: { sheet }, constants: CONSTANTS },
    fields: fields('Account', 'Id', { column: 'Booked', dates: 'DD/MM/YYYY' }, 'Amount'),
  });
  const bad = [b, 'L-3', '07/11/2026', 'x'];
  return {
    files: {
      'Ledger.xlsx': workbookOf([
        { name: '2025/26', rows: [SHEET, [a, 'L-1', '05/11/2026', 12.5]] },
        { name: '2026', rows: [SHEET, [a, 'L-2', '06/11/2026', 7], bad] },
        {
          name: 'Notes',
          rows: [
            ['Account', 'Text'],
            [b, 'called'],
          ],
        },
      ]),
    },
    entries: [
      ...[entry('2025/26'), entry('2026')],
      {
        ...{ match: '*.xlsx', kind: 'notes', form: { sheet: 'Notes' } },
        fields: {
          external_account_number: 'Account',
          body: 'Text',
          created_at: { constant: '2026-11-02T00:00:00Z' },
        },
      },
    ],
    failures: { 'transactions-xlsx-2026.csv': `${SHEET.join()}\n${bad.join()}\n` },
    errors: [`Ledger.xlsx,3,${b},invalid,amount,"Column 4 (Amount) is`, ',2026\n'],
    ...{ read: 4, failed: 1, first: { file: 'Ledger.xlsx', sheet: '2026', line: 3 } },
  };
};

/** A nested document, whose accounts stand behind their lists, beside lines of fixed width. */
const nested = ([a = '', b = '']: readonly string[]): Made => ({
  files: {
    'export.json': `{"customers": [\n {"bills": [\n  {"id": "B-1", "on": "2026-11-05", "total": {"gross": 12.50}}, {"id": "B-2", "on": "2026-11-06", "total": {"gross": "x"}}],\n  "account": "${a}", "notes": [{"text": "called"}]}]}`,
    'LEDGER.TXT': `01${b}\n10L-1 20261105   12.50\n10L-2 20261106   1250}\n99\n`,
  },
  entries: [
    {
      ...{
        match: '*.json',
        kind: 'transactions',
        form: { records: 'customers[].bills[]' },
        constants: CONSTANTS,
      },
      fields: fields('^.account', 'id', 'on', { column: 'total.gross', amount: {} }),
    },
    {
      ...{ match: '*.json', kind: 'notes', form: { records: 'customers[].notes[]' } },
      fields: {
        external_account_number: '^.account',
        body: 'text',
        created_at: { constant: '2026-11-02T00:00:00Z' },
      },
    },
    {
      ...{ match: '*.TXT', kind: 'transactions', rows: { type: ['10'] }, constants: CONSTANTS },
      form: {
        ...{
          positions: { type: [1, 2], id: [3, 6], day: [7, 14], sum: [15, 22] },
          leave_out: { type: '99' },
        },
        carry: { rows: { type: '01' }, positions: { account: [3, 2 + b.length] } },
      },
      fields: fields('account', 'id', { column: 'day', dates: 'YYYYMMDD' }, 'sum'),
    },
  ],
  failures: {
    'transactions.ndjson': `{"^.account":"${a}","id":"B-2","on":"2026-11-06","total.gross":"x"}\n`,
    'transactions.txt': `01${b}\n10L-2 20261106   1250}\n`,
  },
  errors: [
    `export.json,3,${a},invalid,amount,`,
    `LEDGER.TXT,3,${b},invalid,amount,"Column 15-22 (sum) is packed, binary`,
  ],
  ...{ read: 5, failed: 2, first: { file: 'LEDGER.TXT', sheet: null, line: 3 } },
});

it.each([
  ['a German extract', german],
  ['a British workbook', british],
  ['a nested document beside lines of fixed width', nested],
])(
  '%s is tried, loaded, killed on the way, corrected and proved (L1, L2, L5, L6, L7, L11, V9)',
  async (_name, make) => {
    const numbers = accounts(2);
    const made = make(numbers);
    const world = await LoaderWorld.create(service, numbers, {});
    for (const [name, content] of Object.entries(made.files))
      writeFileSync(join(world.folder, name), content);
    const mapping = join(folderWith({ 'm.json': JSON.stringify({ files: made.entries }) }), 'm.json');
    const options = ['--mapping', mapping];
    const { read, failed, first } = made;
    const counts = { read, loaded: read - failed, failed };
    const dry = await world.json('load', [...options, '--dry-run']);
    expect({ code: dry.code, result: dry.result }).toMatchObject({ code: 1, result: counts });

    // The process is killed before some of its calls that change a file.
    const hook = join(import.meta.dirname, 'support', 'kill-at-call.mjs');
    const args = ['--import', hook, PROGRAM, 'load', world.folder, ...world.target(), ...options];
    for (const at of [4, 12, 20]) {
      const env = onlyWith({ DATA_IMPORT_API_KEY: world.apiKey, KILL_AT: String(at) });
      await expect(promisify(execFile)(process.execPath, args, { env })).rejects.toMatchObject({
        signal: 'SIGKILL',
      });
    }
    const { result } = await world.json('load', options);
    expect(result).toMatchObject({ read, failed, unsent: 0, checked: true });
    expect(result.groups.map((group) => group.first)).toContainEqual(first);
    const errors = world.read('failures', 'transactions.errors.csv');
    expect(errors).toMatch(/^file,line,external_account_number,code,attr,detail,sheet\n/);
    for (const line of made.errors) expect(errors).toContain(line);
    for (const [name, content] of Object.entries(made.failures))
      expect(world.read('failures', name)).toBe(content);
    const missing = await world.verify(options);
    expect(missing).toMatchObject({ code: 1, result: { rows: { matched: read - failed, missing: failed } } });
    const places = missing.result.differences;
    expect(places).toContainEqual(expect.objectContaining(first));

    for (const name of Object.keys(made.failures)) {
      const path = join(world.folder, 'failures', name);
      const fixed = readFileSync(path, 'utf8').replace(/"x"|(?<=[;,])x|1250\}/, (bad) =>
        bad === '1250}' ? '12.50' : '7',
      );
      writeFileSync(path, fixed);
    }
    const retried = await world.json('retry', options);
    expect({ ...retried, result: undefined }).toMatchObject({ code: 0 });
    expect(world.read('corrected', 'transactions.replaces.csv')).toMatch(
      /^file,line,corrected_file,corrected_line,sheet/,
    );
    expect(await world.json('load', options)).toMatchObject({ code: 0, result: { read, failed: 0 } });
    const proved = await world.verify(options);
    expect({ code: proved.code, stderr: proved.stderr }).toMatchObject({ code: 0 });
    expect(proved.result.rows).toEqual({ matched: read, different: 0, missing: 0, unexpected: 0 });
    expect((await world.run('verify', [...options, '--report', join(world.folder, 'r.html')])).code).toBe(0);
  },
);
