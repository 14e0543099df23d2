import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  ensureCopies,
  NO_MAPPING,
  removeCopies,
  UnreadableInput,
  WrongUsage,
  type Copies,
  type KindMapping,
  type ReadRow,
} from '@data-import/files';
import { folderWith, removeFolders } from '../../../../test/support/folders.js';
import {
  errorCell,
  formatted,
  formula,
  workbookOf,
  type WrittenCell,
  type WrittenSheet,
} from '../../../files/test/support/workbook.js';
import { zipOf } from '../../../files/test/support/zip.js';
import { findFiles } from './folder.js';
import { Intervals } from './intervals.js';
import { prepare } from './prepare.js';
import { collect } from '../../test/support/rows.js';
import { parseMapping } from '../kinds/mapping.js';
import { runs } from '../../../../test/support/runs.js';

const KIND = 'transactions';

const mappingOf = (form: object, more: object = {}): KindMapping =>
  parseMapping(JSON.stringify({ files: [{ match: '*', kind: KIND, form, ...more }] }), 'mapping.json').of(
    KIND,
  );

function copied(folder: string, names: readonly string[], mapping = NO_MAPPING): Promise<Copies> {
  const files = names.map((name) => ({ folder, name, kind: KIND }) as const);
  return ensureCopies(files, { workFolder: join(folder, 'unpacked'), mappingOf: () => mapping });
}

/** The text of the only copy. */
function textOf(copies: Copies): string {
  expect(copies.size).toBe(1);
  const [copy] = copies.values();
  return readFileSync(copy!.path, 'utf8');
}

const HEADER = ['external_account_number', 'transaction_id', 'amount'];

/** All rows of a file, read once from its beginning and once from a place within it. */
async function read(folder: string, names: readonly string[], mapping = NO_MAPPING): Promise<ReadRow[]> {
  const copies = await copied(folder, names, mapping);
  const options = { folder, workFolder: join(folder, 'sorted'), mapping, copies };
  const preparation = await prepare(KIND, names, options);
  const rows = await collect(preparation, options);
  const from = Math.floor(rows.length / 2);
  const done = new Intervals();
  for (const { start, end } of rows.slice(0, from)) done.add(start, end);
  const rest = await collect(preparation, options, done);
  expect(rest.map(told)).toEqual(rows.slice(from).map(told));
  return rows;
}

function told({ origin: { file, line }, account = '-', error, ...row }: ReadRow): string {
  const content = error ? `${error.attr}: ${error.detail}` : (row as { item: string }).item;
  return `${file}:${line} ${account} ${content}`;
}

describe('the members of an archive', () => {
  it('are copied once, and read as files of the folder (L1)', async () => {
    const table = (id: string): string => `${HEADER.join()}\n1,${id},2.50\n`;
    const folder = folderWith({
      'parts.zip': zipOf([
        { name: 'export/transactions-1.csv', content: table('a') },
        { name: 'export/transactions-2.csv.gz', content: gzipSync(table('b')) },
        {
          name: 'export/transactions-3.xlsx',
          content: workbookOf([{ name: 'S', rows: [HEADER, ['1', 'c', 2.5]] }]),
        },
      ]),
    });
    const names = (await findFiles(folder)).files.get(KIND)!;
    expect((await read(folder, names)).map(told)).toEqual([
      'parts.zip/export/transactions-1.csv:2 1 {"transaction_id":"a","amount":2.50}',
      'parts.zip/export/transactions-2.csv.gz:2 1 {"transaction_id":"b","amount":2.50}',
      'parts.zip/export/transactions-3.xlsx:2 1 {"transaction_id":"c","amount":2.5}',
    ]);
    const work = join(folder, 'unpacked');
    expect(statSync(work).mode & 0o777).toBe(0o700);
    expect(readdirSync(work).map((name) => statSync(join(work, name)).mode & 0o777)).toEqual(
      new Array(4).fill(0o600),
    );
    await removeCopies(work);
    expect(readdirSync(work)).toEqual([]);
  });

  it('are copied again only where the archive has changed, or what was left of it is not whole (L1)', async () => {
    const folder = folderWith({ 'parts.zip': zipOf([{ name: 'transactions.csv', content: 'one' }]) });
    const name = 'parts.zip/transactions.csv';
    const first = [...(await copied(folder, [name])).values()][0]!;
    utimesSync(first.path, 1, 1);
    // The remains of a killed process.
    writeFileSync(join(folder, 'unpacked', 'x.new'), 'on');
    const second = [...(await copied(folder, [name])).values()][0]!;
    expect(statSync(second.path).mtimeMs).toBe(1_000);
    expect(readdirSync(join(folder, 'unpacked'))).toHaveLength(1);
    rmSync(join(folder, 'parts.zip'));
    writeFileSync(join(folder, 'parts.zip'), zipOf([{ name: 'transactions.csv', content: 'two' }]));
    const copies = await copied(folder, [name]);
    expect(textOf(copies)).toBe('two');
    expect(readdirSync(join(folder, 'unpacked'))).toHaveLength(1);
  });

  it('that are damaged leave no copy (L1)', async () => {
    const folder = folderWith({
      'parts.zip': zipOf([{ name: 'transactions.csv', content: 'one', crc: 1 }]),
    });
    await expect(copied(folder, ['parts.zip/transactions.csv'])).rejects.toThrow(UnreadableInput);
    expect(readdirSync(join(folder, 'unpacked'))).toEqual([]);
  });

  it('of which the name leads elsewhere are written nowhere else (L1)', async () => {
    const folder = folderWith({
      'parts.zip': zipOf([
        { name: '../transactions.csv', content: 'x' },
        { name: 'transactions-2.csv', content: 'x' },
      ]),
    });
    const content = await findFiles(folder);
    expect(content.others).toEqual([
      { path: 'parts.zip/../transactions.csv', reason: 'its name leads out of the archive' },
    ]);
    await expect(copied(folder, ['parts.zip/../transactions.csv'])).rejects.toThrow('its name leads out');
    expect(readdirSync(folder).sort()).toEqual(['parts.zip', 'unpacked']);
  });
});

describe('the sheet of a workbook', () => {
  const sheets = (...all: (Omit<WrittenSheet, 'rows'> & { rows?: WrittenSheet['rows'] })[]): string =>
    folderWith({ 'Ledger.xlsx': workbookOf(all.map((sheet) => ({ rows: [['x']], ...sheet }))) });

  it('is the only visible one that is not empty, and what is not read is said (L11)', async () => {
    const folder = sheets(
      { name: 'Empty', rows: [['', null]] },
      { name: '2025' },
      { name: 'Old', state: 'hidden', rows: [['y']] },
    );
    const copies = await copied(folder, ['Ledger.xlsx']);
    expect(textOf(copies)).toBe('x\n');
    expect([...copies.values()][0]?.notes).toEqual([
      'Ledger.xlsx: the sheet "2025" is read, and not "Old" (hidden).',
    ]);
    const hidden = await copied(folder, ['Ledger.xlsx'], mappingOf({ sheet: 'Old' }));
    expect(textOf(hidden)).toBe('y\n');
  });

  it.each<[Parameters<typeof sheets>, object, string]>([
    [
      [{ name: '2024' }, { name: '2025' }],
      {},
      'Ledger.xlsx has not one visible sheet with rows; it has "2024", "2025". Name the sheet to read in the mapping file: {"match": "Ledger.xlsx", …, "form": {"sheet": "2024"}}',
    ],
    [
      [{ name: '2024', state: 'hidden' }],
      {},
      'Ledger.xlsx has not one visible sheet with rows; it has "2024" (hidden).',
    ],
    [
      [{ name: '2024', rows: [] }],
      {},
      'Ledger.xlsx has not one visible sheet with rows; it has none with rows.',
    ],
    [
      [{ name: '2024' }],
      { sheet: '2025' },
      'Ledger.xlsx has no sheet "2025"; it has "2024". Name the sheet to read',
    ],
  ])('is not guessed: %j %j (L11)', async (all, form, message) => {
    const attempt = copied(sheets(...all), ['Ledger.xlsx'], mappingOf(form));
    await expect(attempt).rejects.toThrow(WrongUsage);
    await expect(attempt).rejects.toThrow(message);
  });

  it('is copied with a line for each row, as long as the header (L2)', async () => {
    const rows = new Map<number, WrittenCell[]>([
      [1, ['Title, with "quotes"']],
      [4, ['Account', 'Text', 'Note', '']],
      [5, ['1', null, null]],
      [6, ['2', 'two\nlines', null, 'beyond']],
      [9, ['3']],
    ]);
    const folder = sheets({ name: 'S', rows });
    const copies = await copied(folder, ['Ledger.xlsx'], mappingOf({ skip_lines: 2 }));
    expect(textOf(copies)).toBe(
      '"Title, with ""quotes"""\n\n\nAccount,Text,Note\n1,,\n2,"two\nlines",,beyond\n\n\n3,,\n',
    );
  });

  it('tells rows by their numbers, also behind cells of several lines, from any place on (L2)', async () => {
    const rows = new Map<number, WrittenCell[]>([
      [1, ['Title\nof two lines']],
      [3, [...HEADER, 'display_note']],
      ...Array.from({ length: 20 }, (_, at): [number, WrittenCell[]] => [
        4 + at * 2,
        [String(at), `L-${at}`, at + 0.5, at % 3 === 0 ? 'two\n"lines"' : null],
      ]),
      [60, ['1', 'L', 1, null, 'beyond']],
    ]);
    const folder = sheets({ name: 'S', rows });
    const found = await read(folder, ['Ledger.xlsx'], mappingOf({ skip_lines: 1 }));
    expect(found.map(told)).toEqual([
      ...Array.from({ length: 20 }, (_, at) => {
        const note = at % 3 === 0 ? ',"display_note":"two\\n\\"lines\\""' : '';
        return `Ledger.xlsx:${4 + at * 2} ${at} {"transaction_id":"L-${at}","amount":${at}.5${note}}`;
      }),
      'Ledger.xlsx:60 - : The row has 5 cells, the header 4.',
    ]);
  });

  it('has rows that fail where a cell has no value that can be sent, unless nobody reads it (L2, L10)', async () => {
    const rows = [
      [...HEADER, 'Old'],
      ['1', 'a', errorCell('#N/A'), errorCell('#REF!')],
      [errorCell('#DIV/0!'), 'b', 1],
      ['1', { xml: '><v>4500000000000123</v></c>' }, 1],
      ['1', 4.5e15, 1, errorCell('#REF!')],
      ['1', 'c', formula('A1')],
      ['1', formatted(12, 1), 1],
    ];
    const folder = folderWith({
      'Ledger.xlsx': workbookOf([{ name: 'S', rows }], { formats: ['yyyy-mm-dd'] }),
    });
    const mapping = mappingOf({}, { ignore: ['Old'] });
    expect((await read(folder, ['Ledger.xlsx'], mapping)).map(told)).toEqual([
      'Ledger.xlsx:2 1 amount: Column 3 (amount) is an error of a formula.',
      'Ledger.xlsx:3 - external_account_number: Column 1 (external_account_number) is an error of a formula.',
      'Ledger.xlsx:4 1 transaction_id: Column 2 (transaction_id) is a whole number of more than 15 digits, of which a workbook keeps 15. Enter it as text.',
      'Ledger.xlsx:5 1 {"transaction_id":"4500000000000000","amount":1}',
      'Ledger.xlsx:6 1 amount: Column 3 (amount) is a formula without its last value. Open the workbook in a spreadsheet and save it.',
      'Ledger.xlsx:7 1 transaction_id: Column 2 (transaction_id) is a day before 1 March 1900, which Excel and the calendar count differently.',
    ]);
    const mapped = mappingOf({}, { ignore: ['Old'], values: { amount: { '#N/A': 0 } } });
    expect((await read(folder, ['Ledger.xlsx'], mapped)).map(told)[0]).toBe(
      'Ledger.xlsx:2 1 {"transaction_id":"a","amount":0}',
    );
  });

  it('reads marks in columns of which a value is made, and in text that looks like one (L2)', async () => {
    const rows = [
      ['Konto', 'Soll', 'Haben'],
      ['1', errorCell('#N/A'), null],
      ['1', '#1', null],
    ];
    const folder = sheets({ name: 'S', rows });
    const fields = {
      external_account_number: 'Konto',
      amount: { debit: 'Soll', credit: 'Haben' },
      display_note: 'Soll',
    };
    expect((await read(folder, ['Ledger.xlsx'], mappingOf({}, { fields }))).map(told)).toEqual([
      'Ledger.xlsx:2 1 display_note: Column 2 (Soll) is an error of a formula.',
      expect.stringMatching(/^Ledger\.xlsx:3 1 amount: Columns 2 \(Soll\) and 3 \(Haben\)/),
    ]);
  });

  it('refuses an amount that is one number in the workbook and another as a text (L11)', async () => {
    const rows = [
      ['external_account_number', 'Betrag'],
      ['1', '1.234,50'],
      ['1', '1.234'],
      ['1', 1.234],
      ['1', 12],
    ];
    const amount = { column: 'Betrag', amount: { decimal: ',', thousands: '.' } };
    const mapping = mappingOf({}, { fields: { amount } });
    expect((await read(sheets({ name: 'S', rows }), ['Ledger.xlsx'], mapping)).map(told)).toEqual([
      'Ledger.xlsx:2 1 {"amount":1234.50}',
      expect.stringMatching(/^Ledger\.xlsx:3 1 amount: Column 2 \(Betrag\) could be two numbers/),
      expect.stringMatching(/^Ledger\.xlsx:4 1 amount: Column 2 \(Betrag\) could be two numbers/),
      'Ledger.xlsx:5 1 {"amount":12}',
    ]);
  });

  it('counts days from 1900 or 1904 on as it says; the days of a mapping are refused there (L2)', async () => {
    const formats = ['dd/mm/yyyy'];
    const rows = [
      [...HEADER.slice(0, 2), 'transaction_date'],
      ['1', 'a', formatted(44869, 1)],
    ];
    const bytes = workbookOf([{ name: 'S', rows }], { formats, workbookPr: 'date1904="true"' });
    const folder = folderWith({ 'Ledger.xlsx': bytes });
    expect((await read(folder, ['Ledger.xlsx'])).map(told)).toEqual([
      'Ledger.xlsx:2 1 {"transaction_id":"a","transaction_date":"2026-11-05"}',
    ]);
    const fields = { transaction_date: { column: 'transaction_date', dates: ['excel', 'DD/MM/YYYY'] } };
    await expect(copied(folder, ['Ledger.xlsx'], mappingOf({}, { fields }))).rejects.toThrow(
      'Ledger.xlsx counts its days from 1904 on',
    );
  });

  it('has another copy for another sheet, and for other lines before the header (L11)', async () => {
    const folder = sheets({ name: 'A' }, { name: 'B' });
    const paths = new Set<string>();
    for (const form of [{ sheet: 'A' }, { sheet: 'B' }, { sheet: 'A', skip_lines: 1 }])
      for (const { path } of (await copied(folder, ['Ledger.xlsx'], mappingOf(form))).values())
        paths.add(path);
    expect(paths.size).toBe(3);
    expect(readdirSync(join(folder, 'unpacked'))).toHaveLength(2);
  });

  it.each([
    [{ delimiter: ';' }, 'Ledger.xlsx', 'Ledger.xlsx is a workbook and has no delimiter; remove this'],
    [{ encoding: 'latin1' }, 'Ledger.xlsx', 'Ledger.xlsx is a workbook and has no encoding'],
    [{ sheet: '2025' }, 'ledger.csv', 'ledger.csv is no workbook and has no sheet; remove this'],
  ])('is all that a form says of a workbook, and of nothing else: %j (L11)', async (form, name, message) => {
    const folder = sheets({ name: 'S', rows: [HEADER] });
    writeFileSync(join(folder, 'ledger.csv'), HEADER.join());
    await expect(read(folder, [name], mappingOf(form))).rejects.toThrow(message);
  });

  it('comes back equal to what was written, or the row fails (L2)', async () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 8 })
      .filter((value) => value.trim() !== '' && !value.includes('\0'));
    const account = fc.oneof(text, fc.integer({ min: 1, max: 999_999 }));
    const cents = fc.integer({ min: -99_999_999, max: 99_999_999 });
    const row = fc.record({
      gap: fc.nat({ max: 2 }),
      account,
      id: fc.option(text),
      cents,
      note: fc.option(text),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (list, isInline) => {
          let last = 1;
          const rows = new Map<number, WrittenCell[]>([[1, [...HEADER, 'display_note']]]);
          const wanted = list.map(({ gap, account: number, id, cents: amount, note }) => {
            rows.set((last += gap + 1), [number, id, amount / 100, note]);
            return { line: last, account: String(number), id, amount, note };
          });
          const folder = folderWith({ 'Ledger.xlsx': workbookOf([{ name: 'S', rows }], { isInline }) });
          // Rows of an account that are not together in the file are brought together.
          const found = (await read(folder, ['Ledger.xlsx'])).sort((a, b) => a.origin.line - b.origin.line);
          expect(found.map(({ origin }) => origin.line)).toEqual(wanted.map(({ line }) => line));
          for (const [index, { account: number, id, amount, note }] of wanted.entries()) {
            const one = found[index]!;
            if (one.error) continue;
            expect(one.account).toBe(number);
            expect(JSON.parse(one.item)).toEqual({
              ...(id !== null && { transaction_id: id }),
              amount: amount / 100,
              ...(note !== null && { display_note: note }),
            });
          }
          expect(found.filter(({ error }) => error)).toEqual([]);
          removeFolders();
        },
      ),
      { numRuns: runs(20) },
    );
  });
});

it('a copy needs a folder that can be made (L1)', async () => {
  const folder = folderWith({ 'Ledger.xlsx': workbookOf([{ name: 'S', rows: [['x']] }]) });
  mkdirSync(join(folder, 'unpacked'), { mode: 0o777 });
  await copied(folder, ['Ledger.xlsx']);
  expect(statSync(join(folder, 'unpacked')).mode & 0o777).toBe(0o700);
});
