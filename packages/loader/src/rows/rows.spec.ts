import { basename } from 'node:path';
import fc from 'fast-check';
import { NO_MAPPING, WrongUsage, type ReadRow } from '@data-import/files';
import { folderWith } from '../../../../test/support/folders.js';
import { fieldNames, fieldType } from '../kinds/fields.js';
import type { Kind } from '../kinds/kinds.js';
import { rowsIn } from '../../test/support/rows.js';
import { parseMapping } from '../kinds/mapping.js';

/** The rows of one file. */
async function read(name: string, text: string, kind: Kind, mapping?: object): Promise<ReadRow[]> {
  const folder = folderWith({ [name]: text });
  const parsed = mapping
    ? parseMapping(JSON.stringify({ [kind]: mapping }), 'mapping.json').of(kind)
    : undefined;
  return rowsIn({ folder, kind, mapping: parsed ?? NO_MAPPING }, basename(name));
}

function told(row: ReadRow | undefined): string {
  if (row?.error) return `${row.account ?? '-'} ${row.error.code} ${row.error.attr}`;
  return row ? `${row.account} ${row.item}` : '';
}

async function tell(name: string, text: string, kind: Kind, mapping?: object): Promise<string[]> {
  return (await read(name, text, kind, mapping)).map(told);
}

describe('a row of NDJSON', () => {
  it.each([
    [
      'first',
      '{"external_account_number": "1", "amount" : 12.50 ,"type":"X"}',
      '{"amount" : 12.50 ,"type":"X"}',
    ],
    [
      'in the middle',
      '{"amount":1e2, "external_account_number":"1","type":"X"}',
      '{"amount":1e2, "type":"X"}',
    ],
    ['last', ' {"amount":0.10,"type":"X" , "external_account_number":"1" } ', '{"amount":0.10,"type":"X" } '],
    ['alone', '{"external_account_number":"1"}', '{}'],
    ['written with escapes', '{"external_account\\u005fnumber":"\\u0031","a":1}', '{"a":1}'],
    ['repeated', '{"external_account_number":"2","a":1.0,"external_account_number":"1"}', '{"a":1.0}'],
    [
      'inside another member too',
      '{"a":{"external_account_number":"2"},"external_account_number":"1"}',
      '{"a":{"external_account_number":"2"}}',
    ],
  ])('is sent as it stands without its account: %s', async (_, line, item) => {
    expect(await tell('transactions.ndjson', line, 'transactions')).toEqual([`1 ${item}`]);
  });

  it('is cut out whatever its members are, and nothing else of it changes', async () => {
    const name = fc.constantFrom('external_account_number', 'amount', 'transaction_id', 'é"\\', '');
    const value = fc.oneof(
      fc.json({ maxDepth: 2 }),
      fc.constantFrom('1.00', '-0', '123456789012345678901', '1E+2'),
    );
    const space = fc.constantFrom('', ' ', '\t');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(name, value, space), { maxLength: 6 }),
        fc.nat(6),
        async (members, place) => {
          const all = members
            .filter(([key]) => key !== 'external_account_number')
            .map(([key, json, gap]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${json}${gap}`);
          const cut = [...all.slice(0, place), '"external_account_number":"7"', ...all.slice(place)];
          const [row] = await read('transactions.ndjson', `{${cut.join(',')}}`, 'transactions');
          const text = row?.error ? '' : row?.item;
          expect(text?.replaceAll(/[ \t]/g, '')).toBe(`{${all.join(',')}}`.replaceAll(/[ \t]/g, ''));
          expect(JSON.parse(text ?? '')).toEqual(JSON.parse(`{${all.join(',')}}`));
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    ['{"a":1}', '- required external_account_number'],
    ['{"external_account_number":null}', '- null external_account_number'],
    ['{"external_account_number":1001}', '- invalid external_account_number'],
    ['{"external_account_number":""}', '- blank external_account_number'],
    ['{"external_account_number":"\\ud800"}', '- invalid external_account_number'],
    ['{"external_account_number":"a\\u0000"}', '- invalid external_account_number'],
    [`{"external_account_number":"${'😀'.repeat(129)}"}`, '- max_length external_account_number'],
    ['{"external_account_number":"1","import_supplier":"OTHER"}', '1 unexpected_field import_supplier'],
    ['[1]', '- parse_error '],
    ['{"external_account_number":"1"', '- parse_error '],
    [`{"external_account_number":"1","a":${'['.repeat(70)}${']'.repeat(70)}}`, '- parse_error '],
  ])('that the service would not refuse by itself is unreadable: %s', async (line, expected) => {
    expect(await tell('notes.ndjson', line, 'notes')).toEqual([expected]);
  });

  it('says where it stops to be JSON', async () => {
    const [row] = await read('notes.ndjson', '{"external_account_number":"1",body:1}', 'notes');
    expect(row?.error?.detail).toBe(
      'The row is no JSON object: at its byte 32 it ends too early, has something unexpected, or nests more than 60 levels.',
    );
  });

  it('takes an account of 128 characters outside the basic plane', async () => {
    const account = '😀'.repeat(128);
    expect(await tell('notes.ndjson', `{"external_account_number":"${account}"}`, 'notes')).toEqual([
      `${account} {}`,
    ]);
  });
});

describe('a row of CSV', () => {
  const header = 'external_account_number,transaction_id,amount,note,line_items\n';

  it('has numbers as written, texts unchanged, lists as JSON and no empty cell (L2)', async () => {
    const rows = await tell(
      'transactions.csv',
      `${header}1, a ,12.50,"say ""hi""\n","[{""net_amount"": 1.00}]"\n"2",b,.5,"",\n`,
      'transactions',
    );
    expect(rows).toEqual([
      '1 {"transaction_id":" a ","amount":12.50,"note":"say \\"hi\\"\\n","line_items":[{"net_amount": 1.00}]}',
      '2 {"transaction_id":"b","amount":0.5}',
    ]);
  });

  it('takes paths as JSON or separated, and true and false in any case (L2)', async () => {
    const text =
      'external_account_number,document_paths,is_pinned\n1,a.pdf|b c.pdf,TRUE\n1,"[{""document_path"":""d.pdf""}]",false\n1,[d.pdf,\n1,,yes\n';
    expect(await tell('notes.csv', text, 'notes')).toEqual([
      '1 {"document_paths":[{"document_path":"a.pdf"},{"document_path":"b c.pdf"}],"is_pinned":true}',
      '1 {"document_paths":[{"document_path":"d.pdf"}],"is_pinned":false}',
      '1 invalid document_paths',
      '1 invalid is_pinned',
    ]);
  });

  it.each([
    ['1,a,"1,5",n,', '1 invalid amount'],
    ['1,a,1,n,[1', '1 invalid line_items'],
    ['1,a,1,n', '- invalid '],
    [',a,1,n,', '- required external_account_number'],
  ])('with a cell that cannot be read is unreadable: %s', async (row, expected) => {
    expect(await tell('transactions.csv', header + row, 'transactions')).toEqual([expected]);
  });

  it('gives the item that the same row of NDJSON gives', async () => {
    const texts = fieldNames('transactions')
      .slice(1)
      .map((name) => [name, fieldType('transactions', name)] as const)
      .filter(([, type]) => type === 'text' || type === 'number');
    const cell = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('"', ',', 'a\nb', 'é€😀', '\u2028'));
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,18})(\.\d{1,9})?$/);
    const row = fc.record(
      Object.fromEntries(
        texts.map(([name, type]) => [name, fc.option(type === 'number' ? number : cell, { nil: '' })]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 4 }), async (rows) => {
        const names = texts.map(([name]) => name);
        const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`;
        const csv = [
          ['external_account_number', ...names].join(','),
          ...rows.map((values) => ['"A"', ...names.map((name) => quote(values[name] ?? ''))].join(',')),
        ].join('\n');
        const json = rows
          .map((values) => {
            const members = texts
              .filter(([name]) => values[name] !== '')
              .map(
                ([name, type]) =>
                  `"${name}":${type === 'number' ? values[name] : JSON.stringify(values[name])}`,
              );
            return `{${['"external_account_number":"A"', ...members].join(',')}}`;
          })
          .join('\n');
        const fromJson = await read('transactions.ndjson', json, 'transactions');
        const fromCsv = await read('transactions.csv', csv, 'transactions');
        expect(fromCsv.map(told)).toEqual(fromJson.map(told));
        expect(fromCsv.map((one) => !one.error && one.key)).toEqual(
          fromJson.map((one) => !one.error && one.key),
        );
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    [
      'external_account_number,transaction_id,Amount\n',
      {},
      'transactions.csv has the column "Amount", which is no field of transactions. Did you mean amount?',
    ],
    ['external_account_number,a,a\n', {}, 'transactions.csv has the column "a" twice'],
    ['account,transaction_id\n', { ignore: ['account'] }, 'has no column external_account_number'],
    ['external_account_number;amount\n', {}, 'seems to be separated by ";"'],
    [
      'external_account_number,amount\n',
      { columns: { type: 'Typ' } },
      'has no column "Typ", which the mapping file names',
    ],
    ['external_account_number,note,Remark\n', { columns: { note: 'Remark' } }, 'has the column "note"'],
    ['external_account_number,"a\n', {}, 'has a header that cannot be read'],
  ])('is wrong usage with the header %j (L11)', async (text, mapping, message) => {
    const attempt = read('transactions.csv', text, 'transactions', mapping);
    await expect(attempt).rejects.toThrow(WrongUsage);
    await expect(attempt).rejects.toThrow(message);
  });

  it('may be missing altogether', async () => {
    expect(await read('transactions.csv', '', 'transactions')).toEqual([]);
    expect(await read('transactions.csv', '\uFEFF\n', 'transactions')).toEqual([]);
  });
});

describe('a mapping', () => {
  const mapping = {
    columns: {
      external_account_number: 'Konto',
      transaction_id: 'Nr',
      reference: 'Nr',
      transaction_date: 'Datum',
      amount: 'Betrag',
      type: 'Art',
    },
    constants: { reason: 'IMPORTED_CHARGE', note: 'none', payment_type: '' },
    values: { type: { R: 'CHARGE', '': 'CREDIT', Z: '' } },
    dates: 'D.M.YYYY',
    decimals: ',',
    ignore: ['Farbe'],
  };
  const expected = [
    '7 {"transaction_id":"a","reference":"a","transaction_date":"2026-04-03","amount":1234.50,"type":"CHARGE","note":"hi","reason":"IMPORTED_CHARGE"}',
    '7 {"transaction_id":"b","reference":"b","transaction_date":"2026-12-31","amount":-2,"type":"CREDIT","reason":"IMPORTED_CHARGE","note":"none"}',
    '7 {"transaction_id":"c","reference":"c","transaction_date":"2026-12-31","amount":3,"reason":"IMPORTED_CHARGE","note":"none"}',
    '7 invalid transaction_date',
    '7 invalid amount',
  ];

  it('renames, translates and fills in for CSV', async () => {
    const text =
      'Konto,Nr,Datum,Betrag,Art,Farbe,note\n7,a,3.4.2026,"1.234,50",R,red,hi\n7,b,31.12.2026,-2,,,\n7,c,31.12.2026,3,Z,,\n7,d,31.4.2026,1,R,,\n7,e,1.4.2026,1.5,R,,\n';
    expect(await tell('transactions.csv', text, 'transactions', mapping)).toEqual(expected);
  });

  it('does the same for NDJSON', async () => {
    const lines = [
      { Konto: '7', Nr: 'a', Datum: '3.4.2026', Betrag: '1.234,50', Art: 'R', Farbe: 'red', note: 'hi' },
      { Konto: '7', Nr: 'b', Datum: '31.12.2026', Betrag: -2, Art: '' },
      { Konto: '7', Nr: 'c', Datum: '31.12.2026', Betrag: '3', Art: 'Z' },
      { Konto: '7', Nr: 'd', Datum: '31.4.2026', Betrag: '1', Art: 'R' },
      { Konto: '7', Nr: 'e', Datum: '1.4.2026', Betrag: '1.5', Art: 'R' },
    ].map((line) => JSON.stringify(line));
    expect(await tell('transactions.ndjson', lines.join('\n'), 'transactions', mapping)).toEqual(expected);
  });

  it('leaves a member that is no field for the service to refuse, and refuses a field that it takes from elsewhere', async () => {
    const lines = '{"Konto":"7","Nr":"a","colour":1.0}\n{"Konto":"7","Nr":"a","transaction_id":"b"}\n';
    expect(
      await tell('transactions.ndjson', lines, 'transactions', {
        columns: { external_account_number: 'Konto', transaction_id: 'Nr' },
      }),
    ).toEqual(['7 {"transaction_id":"a","colour":1.0}', '7 unexpected_field transaction_id']);
  });

  it('refuses a time without an offset, or takes it as one of the time zone that it names (L16)', async () => {
    const csv = 'external_account_number,created_at\n7,01.07.2026 10:00\n7,25.10.2026 02:30\n';
    const json = csv
      .split('\n')
      .slice(1, 3)
      .map((line) => `{"external_account_number":"7","created_at":"${line.slice(2)}"}`);
    const read = async (mapping: object): Promise<string[]> => {
      const rows = await tell('notes.csv', csv, 'notes', mapping);
      expect(await tell('notes.ndjson', json.join('\n'), 'notes', mapping)).toEqual(rows);
      return rows;
    };
    const refused = '7 invalid created_at';
    expect(await read({ dates: 'DD.MM.YYYY HH:mm' })).toEqual([refused, refused]);
    const zoned = { dates: 'DD.MM.YYYY HH:mm', timezone: 'Europe/Berlin' };
    expect(await read(zoned)).toEqual(['7 {"created_at":"2026-07-01T08:00:00Z"}', refused]);
    expect((await read({ ...zoned, ambiguous: 'later' }))[1]).toBe('7 {"created_at":"2026-10-25T01:30:00Z"}');
  });

  it('reads times in the form of the service where it names a time zone only (L16)', async () => {
    const rows = ['2026-07-01 10:00:00', '2026-07-01T10:00:00.5', '2026-07-01T10:00:00Z', 'soon'].map(
      (text) => `{"external_account_number":"7","created_at":"${text}"}`,
    );
    const mapping = { timezone: 'Europe/Berlin' };
    expect(await tell('notes.ndjson', rows.join('\n'), 'notes', mapping)).toEqual([
      '7 {"created_at":"2026-07-01T08:00:00Z"}',
      '7 {"created_at":"2026-07-01T08:00:00.5Z"}',
      '7 {"created_at":"2026-07-01T10:00:00Z"}',
      '7 invalid created_at',
    ]);
  });

  it('keeps the digits of numbers that it does not change', async () => {
    const line = '{"Konto":"7","amount":12.50,"line_items":[{"net_amount":1.00}]}';
    expect(
      await tell('transactions.ndjson', line, 'transactions', {
        columns: { external_account_number: 'Konto' },
      }),
    ).toEqual(['7 {"amount":12.50,"line_items":[{"net_amount":1.00}]}']);
  });
});

describe('a mapping of a file', () => {
  /** The rows of a table and of the same data as NDJSON. They must agree, except for the place of a value that cannot be read. */
  async function readBoth(table: readonly (readonly string[])[], entry: object): Promise<string[]> {
    const [header = [], ...cells] = table;
    const entries = { files: [{ match: '*', kind: 'transactions', ...entry }] };
    const mapping = parseMapping(JSON.stringify(entries), 'mapping.json').of('transactions');
    const tellOf = async (name: string, lines: readonly string[]): Promise<string[]> => {
      const folder = folderWith({ [name]: lines.join('\n') });
      return (await rowsIn({ folder, kind: 'transactions', mapping }, name)).map(told);
    };
    const members = cells.map((row) =>
      JSON.stringify(Object.fromEntries(header.map((name, index) => [name, row[index] ?? '']))),
    );
    const fromTable = await tellOf(
      'a.csv',
      table.map((row) => row.map((cell) => `"${cell}"`).join(',')),
    );
    expect(await tellOf('a.ndjson', members)).toEqual(fromTable);
    return fromTable;
  }

  const account = { external_account_number: 'Konto' };

  it('takes an amount from a debit and a credit, and refuses both in one row (L11)', async () => {
    const rows = await readBoth(
      [
        ['Konto', 'Soll', 'Haben'],
        ['1', '12,50', ''],
        ['1', '', '1.234,50'],
        ['1', ' ', '7'],
        ['1', '12,50', '0,00'],
        ['1', '0,00', '12,50'],
        ['1', '0,00', '0,00'],
        ['1', '', '-5,00'],
        ['1', '', ''],
        ['1', '12,50', '12,50'],
        ['1', '', '1.012'],
      ],
      { fields: { ...account, amount: { debit: 'Soll', credit: 'Haben', amount: { decimal: ',' } } } },
    );
    expect(rows).toEqual([
      '1 {"amount":12.50}',
      '1 {"amount":-1234.50}',
      '1 {"amount":-7}',
      '1 {"amount":12.50}',
      '1 {"amount":-12.50}',
      '1 {"amount":0.00}',
      '1 invalid amount',
      '1 {}',
      '1 invalid amount',
      '1 invalid amount',
    ]);
  });

  it('takes the sign of an amount from a word in another column (L11)', async () => {
    const rows = await readBoth(
      [
        ['Konto', 'Umsatz', 'Kennzeichen'],
        ['1', '12,50', 'S'],
        ['1', '12,50', ' H '],
        ['1', '', ''],
        ['1', '12,50', ''],
        ['1', '-12,50', 'H'],
      ],
      {
        fields: {
          ...account,
          amount: {
            column: 'Umsatz',
            amount: { decimal: ',' },
            sign: { column: 'Kennzeichen', words: { S: 1, H: -1 } },
          },
        },
      },
    );
    const refused = '1 invalid amount';
    expect(rows).toEqual(['1 {"amount":12.50}', '1 {"amount":-12.50}', '1 {}', refused, refused]);
  });

  it('takes the first case that fits, and refuses a row that fits none without an else (L11)', async () => {
    const cases = [
      { when: { Code: ['R1', 'R2'] }, then: 'REFUND' },
      { when: { Code: 'B', Art: ['X', ''] }, then: 'CHARGE' },
      { when: { Code: 'B' }, then: '' },
    ];
    const table = [
      ['Konto', 'Code', 'Art'],
      ['1', 'R2 ', ''],
      ['1', 'B', 'X'],
      ['1', 'B', ''],
      ['1', 'B', 'Y'],
      ['1', 'Z', 'X'],
    ];
    const fitting = ['1 {"type":"REFUND"}', '1 {"type":"CHARGE"}', '1 {"type":"CHARGE"}', '1 {}'];
    const type = { case: cases };
    expect(await readBoth(table, { fields: { ...account, type } })).toEqual([...fitting, '1 invalid type']);
    expect(await readBoth(table, { fields: { ...account, type: { ...type, else: 'PAYMENT' } } })).toEqual([
      ...fitting,
      '1 {"type":"PAYMENT"}',
    ]);
    expect((await readBoth(table, { fields: { ...account, type: { ...type, else: '' } } })).at(-1)).toBe(
      '1 {}',
    );
  });

  it('translates values, fills in constants and ignores columns, of a field or of all (L11)', async () => {
    const rows = await readBoth(
      [
        ['Konto', 'Art', 'reason', 'Farbe'],
        ['1', 'R', 'X', 'rot'],
        ['1', 'S', 'W', 'rot'],
      ],
      {
        fields: {
          ...account,
          type: { column: 'Art', values: { R: 'CHARGE', S: 'CREDIT' } },
          note: { constant: 'imported' },
        },
        constants: { payment_type: 'CASH' },
        values: { reason: { X: 'IMPORTED_CHARGE' } },
        ignore: ['Farbe'],
      },
    );
    expect(rows.map((row) => JSON.parse(row.slice(2)) as unknown)).toEqual([
      { type: 'CHARGE', reason: 'IMPORTED_CHARGE', note: 'imported', payment_type: 'CASH' },
      { type: 'CREDIT', reason: 'W', note: 'imported', payment_type: 'CASH' },
    ]);
  });

  it('reads numbers of NDJSON as they are, and days of Excel that are numbers (L11)', async () => {
    const entry = {
      match: '*',
      kind: 'transactions',
      fields: {
        ...account,
        amount: { column: 'Betrag', amount: { decimal: ',' } },
        transaction_date: { column: 'Datum', dates: 'excel' },
      },
    };
    const mapping = parseMapping(JSON.stringify({ files: [entry] }), 'mapping.json').of('transactions');
    const folder = folderWith({
      'a.ndjson': '{"Konto":"1","Betrag":1.012,"Datum":45292}\n{"Konto":"1","Betrag":"1.012","Datum":"x"}',
    });
    const rows = await rowsIn({ folder, kind: 'transactions', mapping }, 'a.ndjson');
    expect(rows.map(told)).toEqual([
      '1 {"amount":1.012,"transaction_date":"2024-01-01"}',
      '1 invalid amount',
    ]);
    expect(rows[1]?.error?.detail).toMatch(/^The member Betrag could be two numbers/);
  });
});
