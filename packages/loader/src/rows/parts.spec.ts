import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { ensureCopies, placeText, type ReadRow } from '@data-import/files';
import { folderWith } from '../../../../test/support/folders.js';
import { workbookOf } from '../../../files/test/support/workbook.js';
import { zipOf } from '../../../files/test/support/zip.js';
import { collect } from '../../test/support/rows.js';
import { parseMapping } from '../kinds/mapping.js';
import { findFiles } from './folder.js';
import { Intervals } from './intervals.js';
import { prepareRows } from './join.js';

type Files = Readonly<Record<string, string | Buffer>>;

const KEY = 'external_account_number';

/** An entry for notes whose account and text come from two columns. */
const notes = (form: object, account = 'n', body = 't', more: object = {}): object => ({
  ...{ match: '*', kind: 'notes', form, fields: { [KEY]: account, body } },
  ...more,
});

/** All rows of a folder. Those of the second half are read a second time, starting in the middle. */
async function read(files: Files, entries: readonly object[], block = 64): Promise<string[]> {
  const folder = folderWith(files);
  const mapping = parseMapping(JSON.stringify({ files: entries }), 'mapping.json');
  const found = await findFiles(folder, mapping);
  const named = [...found.files].flatMap(([kind, names]) => names.map((name) => ({ folder, name, kind })));
  const work = join(folder, '.work');
  const copies = await ensureCopies(named, { workFolder: work, mappingOf: (kind) => mapping.of(kind) });
  const all: string[] = [];
  for (const [kind, names] of found.files) {
    const options = {
      ...{ folder, workFolder: join(folder, '.sorted'), mapping: mapping.of(kind), copies },
      sizes: { block },
    };
    const preparation = await prepareRows(kind, names, options);
    const rows = await collect(preparation, options);
    const from = Math.floor(rows.length / 2);
    const done = new Intervals();
    for (const { start, end } of rows.slice(0, from)) done.add(start, end);
    const rest = await collect(preparation, options, done);
    expect(rest.map(told)).toEqual(rows.slice(from).map(told));
    expect(new Set(rows.map(({ origin }) => origin.line)).size * names.length).toBeGreaterThanOrEqual(
      rows.length,
    );
    all.push(...rows.map(told));
  }
  return all;
}

function told(row: ReadRow): string {
  const what = row.error ? row.error.detail : row.item.replace(/^\{"body":"(.*)"\}$/, '$1');
  return `${placeText(row.origin)} ${row.account ?? '-'} ${what}`;
}

const book = (...sheets: (readonly [name: string, ...rows: string[]])[]): Buffer =>
  workbookOf(sheets.map(([name, ...rows]) => ({ name, rows: rows.map((row) => row.split(',')) })));

const LATE =
  '{"c": [\n {"t": [\n  {"t": "a"},\n  {"t": "b"}, {"t": "c"}], "n": "1"},\n {"t": [], "n": "2"}]}';
const FIXED = {
  ...{ positions: { r: [1, 2], t: [4, 6] }, carry: { rows: { r: ['01'] }, positions: { n: [3, 4] } } },
  leave_out: { r: '99' },
};
const fixed = (form: object = {}, more: object = {}): object =>
  notes({ ...FIXED, ...form }, 'n', 't', { rows: { r: ['10'] }, ...more });

describe('forms of files (L2, L11)', () => {
  it.each<[string, Files, readonly object[], readonly string[]]>([
    [
      'names for a header, and headers among the rows',
      { 'a.csv': 'n,t\n1,a\n"n", t \nn,t,\n1,b', 'b.csv': '2,c\n' },
      [notes({ header: ['n', 't'], repeated_header: 'leave_out' })],
      ['a.csv:2 1 a', 'a.csv:4 - The row has 3 cells, the header 2.', 'a.csv:5 1 b', 'b.csv:1 2 c'],
    ],
    [
      'a repeated header that nothing leaves out is a row',
      { 'a.csv': 'n,t\n1,a\nn,t\n' },
      [notes({})],
      ['a.csv:2 1 a', 'a.csv:3 n t'],
    ],
    [
      'a sheet without a header',
      { 'A.xlsx': book(['S', 'title', '1,a', '1']) },
      [notes({ header: ['n', 't'], skip_lines: 1 })],
      ['A.xlsx:2 1 a', 'A.xlsx:3 1 {}'],
    ],
    [
      'two sheets of a kind and one of another, also in an archive',
      {
        'p.zip': zipOf([
          { name: 'A.xlsx', content: book(['S', 'n,t', '1,a'], ['s', 'n,t', '2,b'], ['P', 'k,id', '3,x']) },
        ]),
      },
      [
        ...[notes({ sheet: 'S' }), notes({ sheet: 's' })],
        {
          match: 'A.xlsx',
          kind: 'statements',
          form: { sheet: 'P' },
          fields: { [KEY]: 'k', statement_id: 'id' },
        },
      ],
      [
        ...['p.zip/A.xlsx (sheet S):2 1 a', 'p.zip/A.xlsx (sheet s):2 2 b'],
        'p.zip/A.xlsx (sheet P):2 3 {"statement_id":"x"}',
      ],
    ],
    [
      'an entry without a sheet before others takes the workbook alone',
      { 'A.xlsx': book(['S', 'n,t', '1,a']) },
      [notes({}), notes({ sheet: 'S' })],
      ['A.xlsx:2 1 a'],
    ],
    [
      'lines of a charge on another sheet',
      { 'A.xlsx': book(['C', 'n,id', '1,a'], ['L', 'c,net_amount', 'a,2', 'b,1']) },
      [
        {
          ...{ match: 'A.xlsx', kind: 'transactions', form: { sheet: 'C' } },
          fields: {
            ...{ [KEY]: 'n', transaction_id: 'id' },
            line_items: { from: 'A.xlsx', form: { sheet: 'L' }, key: { c: 'id' } },
          },
        },
      ],
      [
        'A.xlsx (sheet L):3 - No row has the key of this item (c).',
        'A.xlsx (sheet C):2 1 {"transaction_id":"a","line_items":[{"net_amount":2}]}',
      ],
    ],
    [
      'a member of a parent behind the list, and records of two paths',
      { 'a.json': LATE },
      [notes({ records: 'c[].t[]' }, '^.n'), notes({ records: 'c[]' }, 'n', 'none')],
      [
        ...[
          'a.json (records c[].t[]):3 1 a',
          'a.json (records c[].t[]):4 1 b',
          'a.json (records c[].t[]):4 1 c',
        ],
        ...['a.json (records c[]):2 1 {}', 'a.json (records c[]):5 2 {}'],
      ],
    ],
    [
      'a document of one line, packed, with a byte order mark, grandparents and numbers as they are written',
      {
        'a.json.gz':
          '\uFEFF[{"x":1.10,"p":{"q":{"n":"1"}},"c":[{"d":[{"t":{"u":1e2,"v":[]}},{"t":{"u":9007199254740993,"v":0}}]}]}]',
        'z.zip': zipOf([{ name: 'b.json.gz', content: gzipSync('[{"c":null}]') }]),
      },
      [
        {
          ...{ match: '*.json', kind: 'transactions', form: { records: '[].c[].d[]' }, ignore: ['t.v'] },
          fields: { [KEY]: '^.^.p.q.n', amount: 't.u', transaction_id: '^^.x' },
        },
      ],
      [
        'a.json.gz:1 1 {"transaction_id":1.10,"amount":1e2}',
        'a.json.gz:1 1 {"transaction_id":1.10,"amount":9007199254740993}',
      ],
    ],
    [
      'elements that are no objects, and values that are longer than a block',
      {
        'a.json': Buffer.from(
          `{"skip":[${'{"a":[1,"]"]},'.repeat(90)}{}],"c":[null,{"n":"1","t":"${'ä'.repeat(200)}"}]}`,
          'utf16le',
        ),
      },
      [notes({ records: 'c[]', encoding: 'utf-16le' })],
      [expect.stringContaining('a.json:1 - The row is no JSON object'), `a.json:1 1 ${'ä'.repeat(200)}`],
    ],
    [
      'lines of fixed width below the lines whose cells they carry',
      {
        'A.TXT':
          '10 xyz\r\n0112\r\n10 a\u{1F600}c\r\n99\r\n10 d  \r\n10 e\r\n0134\r\n10 f  ghi\r\n10 g\x01 \r\n77\r\n10 h  \r\n01\r\n10 i  \r\n',
      },
      [fixed()],
      [
        'A.TXT:1 - No record with the cells that "carry" names stands above the line.',
        ...['A.TXT:3 12 a\u{1F600}c', 'A.TXT:5 12 d'],
        'A.TXT:6 - The line has 4 characters, and the positions in the mapping file go up to 6.',
        expect.stringContaining('A.TXT:8 - The line has something at 7 to 9, where'),
        expect.stringContaining('A.TXT:9 - The row is no text in UTF-8'),
        'A.TXT:10 - Column 1-2 (r) says no kind of row that the mapping file names.',
        // The record of line 10 may be that of another account.
        'A.TXT:11 - No record with the cells that "carry" names stands above the line.',
        'A.TXT:13 - The record above with the cells to "carry" has 2 characters, and the positions in the mapping file go up to 4.',
      ],
    ],
    [
      'lines of fixed width in the order of accounts',
      { 'a.txt': '01A \n10 a  \n01B \n10 b  \n01A \n10 c  \n', 'b.txt': '10 d  \n01B \n10 e  \n' },
      [fixed()],
      [
        'b.txt:1 - No record with the cells that "carry" names stands above the line.',
        ...['a.txt:2 A a', 'a.txt:6 A c', 'a.txt:4 B b', 'b.txt:3 B e'],
      ],
    ],
  ])('read %s', async (_name, files, entries, expected) => {
    expect(await read(files, entries)).toEqual(expected);
  });

  const json = (content: string, form: object = {}, account = 'n'): [Files, object] => [
    { 'a.json': content },
    notes({ records: 'c[].t[]', ...form }, account),
  ];

  it.each<[string, Files, object]>([
    ['a.json:1 is not JSON: it ends too early', ...json('{"c":[{"t":[{"t":1}')],
    ['a.json:1 is not JSON: it ends too early', ...json(' ')],
    ['a.json:2 is not JSON: something', ...json('{"c":[{"t":[]}\n"n":1]}')],
    ['a.json:2 has something behind the end of the document', ...json('{"c":[]}\n{"c":[]}')],
    ['a.json has no c[].t, which "records"', ...json('{"c":[{"u":[]}]}')],
    ['a.json has no c, which "records" in the mapping file names.', ...json('{"d":[]}')],
    ['a.json:1: c[].t is no list', ...json('{"c":[{"t":{}}]}')],
    ['a.json:1: the document is no list', ...json('{}', { records: '[]' })],
    ['a.json:1 has the member "t" twice', ...json('{"c":[{"t":[],"t":[]}]}')],
    ['a.json: ^.^.^.n leads out of the document', ...json('{}', {}, '^.^.^.n')],
    ['a.json is a JSON document and has no quote, sheet', ...json('{"c":[]}', { quote: '', sheet: 'x' })],
    [
      'is of fixed width and has no delimiter',
      { 'a.txt': '' },
      notes({ positions: { n: [1, 2] }, delimiter: ';' }),
    ],
    [
      'form.positions: n and t overlap at position 2',
      { 'a.txt': '' },
      notes({ positions: { t: [2, 3], n: [1, 2] } }),
    ],
    ['form.carry.rows must name one of the positions', { 'a.txt': '' }, fixed({ positions: { t: [1, 2] } })],
    ['A.xlsx has no sheet "X"; it has "S"', { 'A.xlsx': book(['S', 'n,t']) }, notes({ sheet: 'X' })],
    [
      'A.TXT is EBCDIC',
      { 'A.TXT': Buffer.from('\xd2\xd6\xd5\xe3\xd6@\xf1\xf2\xf3\xf4@@\xe2\xd6\xd3\xd3@', 'latin1') },
      fixed(),
    ],
    ['its name is that of a part', { 'A.xlsx (sheet S)': '' }, notes({})],
  ])('refuse %s', async (message, files, entry) => {
    await expect(read(files, [entry])).rejects.toThrow(message);
  });
});
