import { appendFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChangedInput, type Mapping, type ReadRow } from '@data-import/files';
import { folderWith } from '../../../../test/support/folders.js';
import { findFiles } from './folder.js';
import { Intervals } from './intervals.js';
import { prepareRows } from './join.js';
import { recheck, type ReadingOptions } from './prepare.js';
import { removeSorted } from './sort.js';
import { collect } from '../../test/support/rows.js';
import { parseMapping } from '../kinds/mapping.js';
import type { Preparation } from './preparation.js';
import type { MappedKind } from '../kinds/fields.js';

const KIND = 'transactions';

const LINES = {
  from: 'LINES*.csv',
  key: { charge: 'charge_no' },
  fields: { net_amount: 'net', start_date: { column: 'from', dates: 'DD/MM/YYYY' } },
};

const TAXES = { from: 'TAXES*', key: { c: 'charge_no' }, fields: { amount: 'tax' } };

const MAPPING = {
  files: [
    {
      match: 'CHARGES*',
      kind: KIND,
      fields: {
        external_account_number: 'acc',
        transaction_id: 'charge_no',
        line_items: LINES,
        tax_items: TAXES,
      },
    },
  ],
};

function mappingOf(content: object = MAPPING): Mapping<MappedKind> {
  return parseMapping(JSON.stringify(content), 'mapping.json');
}

const MAPPED = mappingOf();

interface Read {
  readonly preparation: Preparation;
  readonly rows: readonly ReadRow[];
  readonly options: ReadingOptions;
}

async function read(
  files: Readonly<Record<string, string>> | string,
  {
    mapping = MAPPED,
    ...more
  }: Partial<Omit<ReadingOptions, 'mapping'>> & { mapping?: Mapping<MappedKind> } = {},
): Promise<Read> {
  const others: Record<string, string> =
    mapping === MAPPED ? { 'LINES.csv': 'charge,net,from\n', 'TAXES.csv': 'c,tax\n' } : {};
  const folder = typeof files === 'string' ? files : folderWith({ ...others, ...files });
  const options = {
    folder,
    workFolder: join(folder, '.work'),
    mapping: mapping.of(KIND),
    ...more,
  };
  const found = await findFiles(folder, { kindsOf: mapping.kindsOf });
  expect(found.others).toEqual([]);
  const preparation = await prepareRows(KIND, found.files.get(KIND) ?? [], options);
  return { preparation, rows: await collect(preparation, options), options };
}

/** A row as one line: its place, and its item or its error. */
function told(row: ReadRow): string {
  const { file, line } = row.origin;
  const place = `${file}:${line} ${row.account ?? '-'}`;
  if (!row.error) return `${place} ${row.item}`;
  const { code, attr, detail, seen } = row.error;
  return [place, code, attr, detail, seen ?? '', row.raw.toString()].join(' | ');
}

const CHARGES = 'charge_no,acc\nC-1,A\nC-2,B\nC-3,A\n';

describe('rows whose lists are in other files', () => {
  it('have their items in the order of the files, whatever the order of the rows (L2, L11)', async () => {
    const { rows, preparation } = await read({
      'CHARGES.csv': CHARGES,
      'LINES-1.csv': 'charge,net,from\nC-3,1.50,05/11/2026\nC-1,2.00,06/11/2026\nC-3,3.25,\n',
      'LINES-2.csv': 'net,charge,from\n4,C-3,\n',
      'TAXES.csv': 'c,tax\nC-3,0.3\nC-1,0.40\n',
    });
    expect(rows.map(told)).toEqual([
      'CHARGES.csv:2 A {"transaction_id":"C-1","line_items":[{"net_amount":2.00,"start_date":"2026-11-06"}],"tax_items":[{"amount":0.40}]}',
      'CHARGES.csv:4 A {"transaction_id":"C-3","line_items":[{"net_amount":1.50,"start_date":"2026-11-05"},{"net_amount":3.25},{"net_amount":4}],"tax_items":[{"amount":0.3}]}',
      'CHARGES.csv:3 B {"transaction_id":"C-2"}',
    ]);
    expect(preparation.rows).toBe(3);
    expect(preparation.files.map(({ name }) => name)).toEqual([
      'CHARGES.csv',
      'LINES-1.csv',
      'LINES-2.csv',
      'LINES.csv',
      'TAXES.csv',
    ]);
  });

  it('fail with the file and line of an item that cannot be read, and stand there whole (L6, L10)', async () => {
    const { rows } = await read({
      'CHARGES.csv': CHARGES,
      'LINES-1.csv': 'charge,net,from\nC-1,1,\n',
      'LINES-2.csv': 'charge,net,from\nC-1,2 or so,\nC-2,5,31/31/2026\n',
    });
    expect(rows.map(told)).toEqual([
      'CHARGES.csv:2 A | invalid | line_items.1.net_amount | LINES-2.csv:2: Column 2 (net) is no number with a decimal point. For another form of amounts use a mapping file. | "2 or so" | {"transaction_id":"C-1","external_account_number":"A","line_items":[{"net_amount":1},{"net_amount":"2 or so"}]}',
      'CHARGES.csv:4 A {"transaction_id":"C-3"}',
      'CHARGES.csv:3 B | invalid | line_items.0.start_date | LINES-2.csv:3: Column 3 (from) is no day in the form DD/MM/YYYY, which the mapping file names. | "31/31/2026" | {"transaction_id":"C-2","external_account_number":"B","line_items":[{"net_amount":5,"start_date":"31/31/2026"}]}',
    ]);
  });

  it('know where an item stands that the service refuses (L6)', async () => {
    const { rows } = await read({
      'CHARGES.csv': CHARGES,
      'LINES-1.csv': 'charge,net,from\nC-1,1,\n',
      'LINES-2.csv': 'charge,net,from\n\nC-1,2,\n',
    });
    const [first, second] = rows;
    expect(first?.placeOf?.('line_items.1.net_amount')).toEqual({ file: 'LINES-2.csv', line: 3 });
    expect(first?.placeOf?.('line_items.0')).toEqual({ file: 'LINES-1.csv', line: 2 });
    expect(
      ['line_items.2.net_amount', 'line_items', 'amount', 'constructor.0'].map((attr) =>
        first?.placeOf?.(attr),
      ),
    ).toEqual([undefined, undefined, undefined, undefined]);
    expect(second?.placeOf).toBeUndefined();
  });

  it('items without a row, without a key or that cannot be told fail as rows of their own; rows of the same key fail (L10)', async () => {
    const { rows, preparation } = await read({
      'CHARGES.csv': 'charge_no,acc\nC-1,A\nC-2,B\nC-1,C\n,D\n,E\nx\n',
      'LINES.csv': 'charge,net,from\nC-9,1,\n,2,\nC-1,3,\nC-2\n',
    });
    expect(rows.map(told)).toEqual([
      'CHARGES.csv:7 - | invalid |  | The row has 1 cells, the header 2. |  | {"unreadable":"x"}',
      'LINES.csv:2 - | no_parent_row | line_items | No row has the key of this item (charge). | "C-9" | {"line_items":[{"net_amount":1}]}',
      'LINES.csv:3 - | no_parent_row | line_items | The item has no key: charge is empty. |  | {"line_items":[{"net_amount":2}]}',
      'LINES.csv:5 - | invalid |  | The row has 1 cells, the header 3. |  | {"line_items":[{"unreadable":"C-2"}]}',
      'CHARGES.csv:2 A | repeated_key |  | The key (charge_no) is also that of CHARGES.csv:4. Items of other files belong to the first of them. | "C-1" | {"transaction_id":"C-1","external_account_number":"A","line_items":[{"net_amount":3}]}',
      'CHARGES.csv:3 B {"transaction_id":"C-2"}',
      'CHARGES.csv:4 C | repeated_key |  | The key (charge_no) is also that of CHARGES.csv:2. Items of other files belong to the first of them. | "C-1" | {"transaction_id":"C-1","external_account_number":"C"}',
      'CHARGES.csv:5 D {}',
      'CHARGES.csv:6 E {}',
    ]);
    expect(preparation.rows).toBe(rows.length);
  });

  it('can be NDJSON, beside files whose rows are whole, with a form and values of each file (L11)', async () => {
    const mapping = mappingOf({
      files: [
        {
          match: 'CHARGES*',
          kind: KIND,
          fields: {
            external_account_number: 'acc',
            transaction_id: 'id',
            line_items: {
              from: ['LINES-*.txt', 'MORE.ndjson'],
              key: { no: 'id', year: 'year' },
              form: { delimiter: ';', skip_lines: 1, leave_out: { no: ['Total'] } },
              fields: {
                net_amount: { column: 'net', amount: { decimal: ',' } },
                rate_band: { case: [{ when: { kind: 'N' }, then: 'NIGHT' }], else: 'DAY' },
              },
              ignore: ['kind'],
            },
          },
          constants: { type: 'SUPPLY_CHARGE' },
          ignore: ['year'],
        },
      ],
    });
    const files = {
      'CHARGES.ndjson.gz': '{"acc":"A","id":"1","year":2025}\n{"acc":"A","id":"1","year":2026}\n',
      'LINES-1.txt': 'Lines of 2026\nno;year;net;kind\n1;2026;1.012,50;N\nTotal;;1;\n1;2025;2;\n',
      'transactions.csv': 'external_account_number,transaction_id,note\nA,T-1,"two\nlines"\nx\n',
    };
    const { rows, preparation } = await read(files, { mapping });
    expect(rows.map(told)).toEqual([
      'transactions.csv:4 - | invalid |  | The row has 1 cells, the header 3. |  | x',
      'CHARGES.ndjson.gz:1 A {"transaction_id":"1","type":"SUPPLY_CHARGE","line_items":[{"net_amount":2,"rate_band":"DAY"}]}',
      'CHARGES.ndjson.gz:2 A {"transaction_id":"1","type":"SUPPLY_CHARGE","line_items":[{"net_amount":1012.50,"rate_band":"NIGHT"}]}',
      'transactions.csv:2 A {"transaction_id":"T-1","note":"two\\nlines"}',
    ]);
    expect(preparation.files.map(({ leftOut = 0 }) => leftOut)).toEqual([0, 2, 0]);
  });

  it('are documents of notes too (L2)', async () => {
    const mapping = mappingOf({
      files: [
        {
          match: 'NOTES.csv',
          kind: 'notes',
          fields: {
            external_account_number: 'acc',
            document_paths: { from: 'DOCS.csv', key: { note: 'no' }, fields: { document_path: 'path' } },
          },
          ignore: ['no'],
        },
      ],
    });
    const folder = folderWith({ 'NOTES.csv': 'no,acc\n1,A\n', 'DOCS.csv': 'note,path\n1,a.pdf\n1,b.pdf\n' });
    const options = { folder, workFolder: join(folder, '.work'), mapping: mapping.of('notes') };
    const preparation = await prepareRows('notes', ['DOCS.csv', 'NOTES.csv'], options);
    expect((await collect(preparation, options)).map(told)).toEqual([
      'NOTES.csv:2 A {"document_paths":[{"document_path":"a.pdf"},{"document_path":"b.pdf"}]}',
    ]);
  });

  it('that are longer than a request fail, and take no more memory than that (L2)', async () => {
    const line = `C-1,1,,${'x'.repeat(1_000_000)}\n`;
    const mapping = mappingOf({
      files: [
        {
          match: 'CHARGES*',
          kind: KIND,
          fields: {
            external_account_number: 'acc',
            transaction_id: 'charge_no',
            line_items: { ...LINES, fields: { ...LINES.fields, rate_band: 'text' } },
          },
        },
      ],
    });
    const files = { 'CHARGES.csv': CHARGES, 'LINES.csv': `charge,net,from,text\n${line.repeat(9)}` };
    const { rows } = await read(files, { mapping });
    expect(rows.map((row) => row.error?.code)).toEqual(['max_length', undefined, undefined]);
    expect(rows[0]?.raw.toString()).toBe('{"transaction_id":"C-1","external_account_number":"A"}');
  });
});

describe('the mapping of lists in other files', () => {
  const entry = (fields: object): object => ({ files: [{ match: 'CHARGES*', kind: KIND, fields }] });

  it('is wrong usage where it cannot be meant (L11)', () => {
    const cases: [content: object, message: RegExp][] = [
      [
        entry({ reason: LINES }),
        /reason is no list of items\. Such lists of transactions: line_items, tax_items\./,
      ],
      [entry({ line_items: { ...LINES, key: {} } }), /line_items\.key must name a column\./],
      [entry({ line_items: { ...LINES, key: undefined } }), /line_items\.key must be an object\./],
      [entry({ line_items: { ...LINES, form: { sheets: 1 } } }), /line_items\.form: sheets is not known\./],
      [
        entry({ line_items: { ...LINES, fields: { net: 'net' } } }),
        /net is no field\..* Fields of transactions\.line_items are rate_band, /,
      ],
      [
        entry({ line_items: { ...LINES, fields: { units: LINES } } }),
        /units does not say where the field comes from/,
      ],
      [entry({ line_items: { ...LINES, match: '*' } }), /line_items: match is not known\./],
      [
        entry({ line_items: LINES, tax_items: { ...TAXES, key: { c: 'id' } } }),
        /all lists must have the same columns of the rows as their key\./,
      ],
    ];
    for (const [content, message] of cases) expect(() => mappingOf(content)).toThrow(message);
  });

  it('needs a file of every list, be it empty (L1, L11)', async () => {
    const folder = folderWith({ 'CHARGES.csv': CHARGES, 'TAXES.csv': '' });
    await expect(read(folder)).rejects.toThrow(
      /CHARGES\.csv has its line_items in another file, and no file/,
    );
    writeFileSync(join(folder, 'LINES-1.csv'), '');
    expect((await read(folder)).rows.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  });

  it('gives a file one list, and a column that is missing or not named is wrong usage (L11)', async () => {
    const twice = mappingOf(entry({ line_items: LINES, tax_items: { ...TAXES, from: 'L*' } }));
    expect(() => twice.kindsOf('LINES.csv')).toThrow(/LINES\.csv fits the "from" of 2 lists/);
    await expect(read({ 'CHARGES.csv': 'acc\nA\n' })).rejects.toThrow(
      /CHARGES\.csv has no column "charge_no"/,
    );
    await expect(read({ 'CHARGES.csv': CHARGES, 'LINES.csv': 'net,from\n' })).rejects.toThrow(
      /LINES\.csv has no column "charge"/,
    );
    await expect(read({ 'CHARGES.csv': CHARGES, 'LINES.csv': 'charge,net,from,tariff\n' })).rejects.toThrow(
      /LINES\.csv has the column "tariff", which is no field of transactions\.line_items\./,
    );
    await expect(read({ 'CHARGES.csv': 'charge_no,acc,line_items\n' })).rejects.toThrow(
      /CHARGES\.csv has the column "line_items"/,
    );
  });
});

describe('files that are joined', () => {
  const FILES = { 'CHARGES.csv': CHARGES, 'LINES.csv': 'charge,net,from\nC-1,1,\n', 'TAXES.csv': 'c,tax\n' };

  it('are all compared on a run that continues, which makes the same copy where it is not there (L1, L8)', async () => {
    const { preparation, rows, options } = await read(FILES);
    const names = preparation.files.map(({ name }) => name);
    const known = preparation.files.map(({ sha256 }) => sha256);
    const again = await recheck(preparation, names, options);
    expect(again).toEqual({ changed: [], preparation });
    await removeSorted(options.workFolder);
    expect((await collect(again.preparation, options)).map(told)).toEqual(rows.map(told));
    const done = new Intervals();
    const [first] = rows;
    done.add(first?.start ?? -1, first?.end ?? -1);
    expect((await collect(preparation, options, done)).map(told)).toEqual(rows.slice(1).map(told));
    appendFileSync(join(options.folder, 'LINES.csv'), 'C-2,1,\n');
    const { changed } = await recheck(preparation, names, options);
    expect(changed).toEqual(['LINES.csv was changed']);
    await removeSorted(options.workFolder);
    await expect(collect(preparation, options)).rejects.toThrow(ChangedInput);
    expect(new Set(known).size).toBe(3);
  });

  it('leave nothing but the copy, which nobody else can read, also when they are interrupted (L2)', async () => {
    const { options, preparation } = await read(FILES);
    const copies = readdirSync(options.workFolder);
    expect(copies).toEqual([expect.stringMatching(/^sorted-transactions-[0-9a-f]{16}$/)]);
    expect(statSync(join(options.workFolder, copies[0] ?? '')).mode & 0o777).toBe(0o600);
    await removeSorted(options.workFolder);
    // The remains of a process that was killed while it joined files.
    for (const left of ['keys', 'keys-1.new', 'rows-7.new'])
      writeFileSync(join(options.workFolder, `sorted-transactions-${left}`), 'damaged');
    const stopped = AbortSignal.abort(new Error('interrupted'));
    await expect(collect(preparation, { ...options, signal: stopped })).rejects.toThrow('interrupted');
    expect(readdirSync(options.workFolder)).toEqual([]);
    expect((await collect(preparation, options)).length).toBe(3);
    expect(readdirSync(options.workFolder)).toEqual(copies);
  });
});
