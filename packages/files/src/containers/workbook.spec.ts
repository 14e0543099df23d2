import { join } from 'node:path';
import fc from 'fast-check';
import { folderWith } from '../../../../test/support/folders.js';
import {
  errorCell,
  formatted,
  formula,
  workbookOf,
  type WorkbookOptions,
  type WrittenCell,
  type WrittenSheet,
} from '../../test/support/workbook.js';
import { zipOf } from '../../test/support/zip.js';
import { UnreadableInput } from '../common/errors.js';
import type { SheetRow } from './sheet-rows.js';
import { lettersOf } from './sheet-rows.js';
import { SharedStrings } from './shared-strings.js';
import { Workbook } from './workbook.js';
import { inBlock } from '../../../../test/support/set-up.js';

/** Open a workbook and call a function with it. */
async function opened<Result>(bytes: Buffer, use: (workbook: Workbook) => Promise<Result>): Promise<Result> {
  const folder = folderWith({ 'Ledger.xlsx': bytes });
  await using workbook = inBlock(
    await Workbook.open(join(folder, 'Ledger.xlsx'), 'Ledger.xlsx', join(folder, 'strings')),
  );
  return await use(workbook);
}

function rowsOf(bytes: Buffer, at = 0): Promise<SheetRow[]> {
  return opened(bytes, async (workbook) => {
    const all: SheetRow[] = [];
    for await (const rows of workbook.rows(workbook.sheets[at]!)) all.push(...rows);
    return all;
  });
}

async function cellsOf(rows: WrittenSheet['rows'], options?: WorkbookOptions): Promise<string[][]> {
  return (await rowsOf(workbookOf([{ name: 'Sheet1', rows }], options))).map(({ cells }) => [...cells]);
}

/** A workbook with one sheet that has this XML. */
const sheetXml = (xml: string | Buffer): Buffer =>
  workbookOf([{ name: 'Sheet1', rows: [] }], {
    parts: {
      'xl/worksheets/sheet1.xml': xml,
      'xl/sharedStrings.xml':
        '<x:sst xmlns:x="m"><x:si><x:r><x:rPr><x:b/></x:rPr><x:t>Mül</x:t></x:r><x:r><x:t xml:space="preserve">ler </x:t></x:r><x:rPh sb="0" eb="1"><x:t>no</x:t></x:rPh><x:phoneticPr/></x:si><x:si><x:t/></x:si></x:sst>',
    },
  });

describe('the rows of a sheet', () => {
  it.each([true, false])(
    'have the texts of their cells, in their places, in the cells or apart: %s (L2)',
    async (isInline) => {
      const rows = new Map<number, WrittenCell[]>([
        [2, ['a', null, 'c&<>"\' ä😀', 12.5, true, false]],
        [5, ['', null, '']],
        [7, [null, 'a', '_x000D_\r\n\t x', '']],
      ]);
      const found = await rowsOf(workbookOf([{ name: 'Sheet1', rows }], { isInline }));
      expect(found).toEqual([
        { number: 2, cells: ['a', '', 'c&<>"\' ä😀', '12.5', 'true', 'false'] },
        { number: 7, cells: ['', 'a', '_x000D_\r\n\t x'] },
      ]);
    },
  );

  it('have days by their formats, and errors as they are (L2)', async () => {
    const formats = ['dd/mm/yyyy', '00000', '0.00'];
    const row = [
      formatted(46331, 1),
      formatted(12, 2),
      formatted(46331, 3),
      errorCell('#N/A'),
      errorCell('Err:502'),
    ];
    expect(await cellsOf([row, [formatted(3, 1)]], { formats })).toEqual([
      ['2026-11-05', '00012', '46331', '#N/A', '#ERROR! Err:502'],
      ['#DAY! 3'],
    ]);
    expect(await cellsOf([[formatted(44869, 1)]], { formats, workbookPr: 'date1904="1"' })).toEqual([
      ['2026-11-05'],
    ]);
    const iso = [
      { xml: ' t="d"><v>2026-11-05T00:00:00</v></c>' },
      { xml: ' t="d"><v>2026-11-05T10:30:00</v></c>' },
    ];
    expect(await cellsOf([iso])).toEqual([['2026-11-05', '2026-11-05T10:30:00']]);
  });

  it('have the last values of formulas; one without a value has a mark (L2)', async () => {
    const rows = [['x', formula('1+1', 2), formula('A1', 'x'), formula('""', ''), formula('NOW()')]];
    const [row] = await rowsOf(workbookOf([{ name: 'Sheet1', rows }]));
    expect(row).toEqual({ number: 1, cells: ['x', '2', 'x', '', '#FORMULA!'] });
    expect(await cellsOf(rows, { calcPr: 'fullCalcOnLoad="1"' })).toEqual([
      ['x', '#FORMULA!', '#FORMULA!', '#FORMULA!', '#FORMULA!'],
    ]);
  });

  it('are found in XML as other programs write it (L2)', async () => {
    const xml = `<?xml version='1.0'?><!-- > -->
      <x:worksheet xmlns:x='m'><x:sheetViews><x:c t="s"><x:v>9</x:v></x:c></x:sheetViews><x:sheetData>
      <x:row><x:c t='s'\n s = '0'><x:v>0</x:v></x:c><x:c t="inlineStr"><x:is><x:r><x:t>a</x:t></x:r><x:rPh><x:t>no</x:t></x:rPh><x:r><x:t><![CDATA[<b>]]>&#65;&#x42;</x:t></x:r></x:is></x:c></x:row>
      <x:row r="4" customFormat="1"/><x:row r='6' note="a > b"><x:c r="C6"><x:v> 7 </x:v></x:c><x:c r="E6" t="s"><x:v>1</x:v></x:c></x:row>
      </x:sheetData><x:extLst><x:row r="1"><x:c><x:v>1</x:v></x:c></x:row></x:extLst></x:worksheet>`;
    expect(await rowsOf(sheetXml(xml))).toEqual([
      { number: 1, cells: ['Müller ', 'a<b>AB'] },
      { number: 6, cells: ['', '', '7'] },
    ]);
  });

  it.each([
    ['<row r="2"/><row r="2"/>', 'it has row 2 behind row 2'],
    ['<row r="1048577"/>', 'it has row 1048577 behind row 0'],
    [
      '<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>',
      'it has cell A1 of row 1 not in its place',
    ],
    ['<row r="1"><c r="XFE1"><v>1</v></c></row>', 'it has cell XFE1 of row 1 not in its place'],
    ['<row r="1"><c r="11"><v>1</v></c></row>', 'it has cell 11 of row 1 not in its place'],
    [
      '<row r="1"><c r="XFD1"><v>1</v></c></row>',
      'it has a text in column XFD of row 1, and is read up to column AMJ',
    ],
    ['<row r="1"><c t="str"><v>&#xD800;</v></c></row>', 'it has a character that XML forbids: &#xD800;'],
    ['<row r="1"><c t="str"><v>&#1;</v></c></row>', 'it has a character that XML forbids: &#1;'],
    ['<row r="1"><c t="str"><v>\ufffe</v></c></row>', 'it has a character that XML forbids'],
    ['<row r="1"><c t="s"><v>2</v></c></row>', 'it names a shared string 2, which is not there'],
    ['<row r="1"><c><v>x</v></c></row>', 'it has a number in row 1 that is none'],
    ['<row r="1"><c t="str"><v>&x;</v></c></row>', 'it has an entity that XML does not know'],
    ['<!DOCTYPE x [<!ENTITY x "y">]>', 'it has a document type'],
    ['<row r="1"', 'it ends within a tag'],
  ])('are refused with the sheet where it is damaged: %s (L2)', async (xml, message) => {
    const attempt = rowsOf(sheetXml(`<worksheet><sheetData>${xml}`));
    await expect(attempt).rejects.toThrow(UnreadableInput);
    await expect(attempt).rejects.toThrow(`Ledger.xlsx, sheet "Sheet1", cannot be read: ${message}`);
  });

  it('are refused where they are not UTF-8 (L2)', async () => {
    await expect(rowsOf(sheetXml(Buffer.from('<worksheet>\xff', 'latin1')))).rejects.toThrow(
      'it is not UTF-8',
    );
  });

  it('come back as they were written, or with a mark (L2)', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 }).filter((value) => !value.startsWith('#'));
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const whole = fc.integer({ min: -999_999_999, max: 999_999_999 });
    const cell = fc.oneof(
      text,
      whole,
      number,
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom('_x0041_', '_x', 'a_x005F_b'),
    );
    const row = fc.tuple(fc.nat({ max: 3 }), fc.array(cell, { maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), fc.boolean(), async (list, isInline) => {
        let last = 0;
        const rows = new Map(list.map(([gap, cells]) => [(last += gap + 1), cells] as const));
        const found = new Map(
          (await rowsOf(workbookOf([{ name: 'Sheet1', rows }], { isInline }))).map(
            ({ number: at, cells }) => [at, cells],
          ),
        );
        for (const [at, cells] of rows) {
          for (const [column, value] of cells.entries()) {
            const read = found.get(at)?.[column] ?? '';
            if (read.startsWith('#TEXT!') && typeof value === 'string' && value.includes('\0')) continue;
            if (read.startsWith('#DIGITS!') && typeof value === 'number' && Math.abs(value) >= 1e15) continue;
            if (typeof value !== 'number') expect(read).toBe(value === null ? '' : String(value));
            else expect(Number(read)).toBe(Number(value.toPrecision(15)) + 0);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a workbook', () => {
  it('has its sheets with their names and whether they are hidden (L11)', async () => {
    const bytes = workbookOf([
      { name: 'A & "B"', rows: [['x']] },
      { name: 'Old', state: 'hidden', rows: [] },
      { name: 'Older', state: 'veryHidden', rows: [['', null]] },
    ]);
    await opened(bytes, async (workbook) => {
      const [first, second, third] = workbook.sheets;
      expect(workbook.sheets.map(({ name, isHidden }) => [name, isHidden])).toEqual([
        ['A & "B"', false],
        ['Old', true],
        ['Older', true],
      ]);
      expect(await Promise.all([first!, second!, third!].map((sheet) => workbook.isEmpty(sheet)))).toEqual([
        false,
        true,
        true,
      ]);
    });
  });

  it.each<[string, Buffer, RegExp]>([
    [
      'encrypted or old',
      Buffer.from('d0cf11e0a1b11ae1d0cf11e0', 'hex'),
      /^Ledger\.xlsx is encrypted with a password, or has the old form \.xls/,
    ],
    [
      'no archive',
      Buffer.from('Account,Amount\n'),
      /^Ledger\.xlsx cannot be read: it is damaged, encrypted or no zip archive/,
    ],
    [
      'another archive',
      zipOf([{ name: 'notes.csv', content: 'x' }]),
      /^Ledger\.xlsx cannot be read: it is no \.xlsx workbook/,
    ],
    ['without a sheet', workbookOf([]), /^Ledger\.xlsx cannot be read: it has no sheet/],
    [
      'without a part',
      workbookOf([{ name: 'S', rows: [] }], {
        parts: {
          'xl/_rels/workbook.xml.rels': '<Relationship Id="S1" Type="x/worksheet" Target="gone.xml"/>',
        },
      }),
      /^Ledger\.xlsx, sheet "S", cannot be read: it has no part xl\/gone\.xml/,
    ],
  ])('that is %s is refused with the reason (L1)', async (_what, bytes, message) => {
    const attempt = rowsOf(bytes);
    await expect(attempt).rejects.toThrow(UnreadableInput);
    await expect(attempt).rejects.toThrow(message);
  });
});

describe('shared strings', () => {
  it('are found by their number, also when few of their pages are in memory (L2)', async () => {
    const path = join(folderWith({}), 'strings');
    const strings = new SharedStrings(path, 20, 2);
    const texts = Array.from({ length: 100 }, (_, index) => (index % 7 === 0 ? '' : `text ä ${index}`));
    async function* chunks(): AsyncGenerator<string> {
      yield await Promise.resolve('<sst>');
      for (const text of texts) yield `<si><t>${text}</t></si>`;
    }
    await strings.read(chunks());
    const numbers = [...texts.keys(), 0, 99, 1, 50, 98];
    expect(numbers.map((index) => strings.get(index))).toEqual(numbers.map((index) => texts[index]));
    expect([100, -1, NaN].map((index) => strings.get(index))).toEqual([undefined, undefined, undefined]);
    strings.close();
  });
});

it.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
  [16_383, 'XFD'],
])('column %i is called %s', (column, letters) => {
  expect(lettersOf(column)).toBe(letters);
});
