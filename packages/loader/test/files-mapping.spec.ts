import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../../../test/support/folders.js';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { accounts, LoaderWorld, ndjson } from './support/loader.js';

const service = setUp(sharedService);

const FIELDS = {
  external_account_number: 'Konto',
  transaction_id: 'Nr',
  display_note: 'Text',
};
const DECIMAL_COMMA = { column: 'Betrag', amount: { decimal: ',' } };
const CONSTANTS = { reason: 'IMPORTED_CHARGE' };

/** Two files that differ in nothing but the form of days, one of another encoding, and one of NDJSON. */
const MAPPING = {
  files: [
    {
      match: 'BUCH*.DAT',
      kind: 'transactions',
      form: {
        delimiter: ';',
        encoding: 'windows-1252',
        skip_lines: 1,
        leave_out: { Konto: ['Summe'] },
      },
      fields: {
        ...FIELDS,
        amount: DECIMAL_COMMA,
        transaction_date: { column: 'Datum', dates: 'DD/MM/YYYY' },
        type: { case: [{ when: { Art: ['R'] }, then: 'CHARGE' }] },
      },
      constants: CONSTANTS,
    },
    {
      match: 'us-*.csv',
      kind: 'transactions',
      fields: {
        ...FIELDS,
        amount: { column: 'Betrag', amount: {} },
        transaction_date: { column: 'Datum', dates: 'MM/DD/YYYY' },
        type: 'Art',
      },
      constants: CONSTANTS,
    },
    {
      match: 'uk-*.csv',
      kind: 'transactions',
      fields: {
        ...FIELDS,
        amount: { column: 'Betrag', amount: {} },
        transaction_date: { column: 'Datum', dates: 'DD/MM/YYYY' },
        type: 'Art',
      },
      constants: CONSTANTS,
    },
    {
      match: '*.ndjson',
      kind: 'notes',
      fields: {
        external_account_number: 'konto',
        body: 'text',
        created_at: { column: 'am', moment: { forms: 'DD.MM.YYYY HH:mm', timezone: 'Europe/Berlin' } },
      },
    },
  ],
  ignore_files: ['*.csv.bak.csv'],
};

it('files of any form are loaded, corrected and proved with their mapping (L1, L6, L11, L14)', async () => {
  const [account = ''] = accounts(1);
  const german = [
    'Auszug "vom 5.11.',
    'Konto;Nr;Datum;Betrag;Art;Text',
    `${account};D-1;05/11/2026;1.234,50;R;Für Müller`,
    `${account};D-2;05/11/2026;1.234;R;Für Müller`,
    'Summe;;;2.468,50;;',
    '',
  ].join('\r\n');
  const table = (id: string, day: string, wrong: string): string =>
    `Konto,Nr,Datum,Betrag,Art,Text\n${account},${id}-1,${day},12.50,CHARGE,x\n${account},${id}-2,${wrong},12.50,CHARGE,y\n`;
  const world = await LoaderWorld.create(service, [account], {
    'us-1.csv': table('U', '11/05/2026', '13/11/2026'),
    'uk-1.csv': table('K', '05/11/2026', '11/13/2026'),
    'old.csv.bak.csv': 'nothing',
    'notes.ndjson': `{"konto":"${account}","text":"one","am":"05.11.2026 10:00"}\n{"konto":"${account}","text":"two","am":"25.10.2026 02:30"}\n`,
  });
  writeFileSync(join(world.folder, 'BUCH1.DAT'), Buffer.from(german, 'latin1'));
  const mapping = join(folderWith({ 'mapping.json': JSON.stringify(MAPPING) }), 'mapping.json');
  const options = ['--mapping', mapping];

  const { stderr } = await world.run('load', [...options, '--dry-run']);
  expect(stderr).toContain(
    `transactions as they are sent: BUCH1.DAT:3, account ${account}: {"transaction_id":"D-1","transaction_date":"2026-11-05","amount":1234.50,"display_note":"Für Müller","type":"CHARGE",`,
  );
  expect(stderr).toContain(
    `notes as they are sent: notes.ndjson:1, account ${account}: {"body":"one","created_at":"2026-11-05T09:00:00Z"}\n`,
  );
  const first = await world.json('load', options);
  expect(first).toMatchObject({ code: 1, result: { read: 8, loaded: 4, failed: 4 } });
  const leftOut = [
    { file: 'BUCH1.DAT', sheet: null, rule: 'skip_lines', lines: 1 },
    { file: 'BUCH1.DAT', sheet: null, rule: 'leave_out Konto "Summe"', lines: 1 },
    { file: null, sheet: null, rule: 'ignore_files "*.csv.bak.csv" (1 file)', lines: null },
  ];
  expect(await world.json('load', options)).toMatchObject({
    code: 1,
    result: { read: 8, loaded: 4, failed: 4, left_out: leftOut },
  });
  expect((await world.json('status', options)).result).toMatchObject({ left_out: leftOut });

  const header = 'Konto,Nr,Datum,Betrag,Art,Text\n';
  const text = 'Konto;Nr;Datum;Betrag;Art;Text\n';
  expect(world.read('failures', 'transactions.csv')).toBe(
    `${text}${account};D-2;05/11/2026;1.234;R;Für Müller\n`,
  );
  expect(world.read('failures', 'transactions.errors.csv')).toContain(
    `BUCH1.DAT,4,${account},invalid,amount,"Column 4 (Betrag) could be two numbers`,
  );
  expect(world.read('failures', 'transactions.errors.csv')).toContain('Seen: ""1.234""');
  // What is the same to the eye has two meanings, so each has a file of its own.
  const [uk, us] = ['transactions-2.csv', 'transactions-3.csv'];
  expect(world.read('failures', uk)).toBe(`${header}${account},K-2,11/13/2026,12.50,CHARGE,y\n`);
  expect(world.read('failures', us)).toBe(`${header}${account},U-2,13/11/2026,12.50,CHARGE,y\n`);
  expect(JSON.stringify(first.result)).not.toContain('1.234');

  const correct = (name: string, content: string): void => {
    writeFileSync(join(world.folder, 'failures', name), content);
  };
  correct('transactions.csv', `${text}${account};D-2;05/11/2026;1.234,00;R;Für Müller\n`);
  correct(uk, `${header}${account},K-2,06/11/2026,12.50,CHARGE,y\n`);
  correct(us, `${header}${account},U-2,11/07/2026,12.50,CHARGE,y\n`);
  correct('notes.ndjson', `{"konto":"${account}","text":"two","am":"25.10.2026 03:30"}\n`);
  expect(await world.json('retry', options)).toMatchObject({ code: 0, result: { read: 8, loaded: 8 } });

  const rows = await service.database.sql<{ id: string; day: string; amount: string; text: string }>(
    `SELECT transaction_id AS id, transaction_date::text AS day, amount::text, display_note AS text
       FROM transaction WHERE external_account_number = $1 ORDER BY 1`,
    [account],
  );
  expect(rows.map(({ id, day, amount, text: shown }) => [id, day, amount, shown])).toEqual([
    ['D-1', '2026-11-05', '1234.50', 'Für Müller'],
    ['D-2', '2026-11-05', '1234.00', 'Für Müller'],
    ['K-1', '2026-11-05', '12.50', 'x'],
    ['K-2', '2026-11-06', '12.50', 'y'],
    ['U-1', '2026-11-05', '12.50', 'x'],
    ['U-2', '2026-11-07', '12.50', 'y'],
  ]);
  expect(await world.verify(options)).toMatchObject({
    code: 0,
    result: { rows: { matched: 8, different: 0, missing: 0, unexpected: 0 }, left_out: leftOut },
  });
  expect(await world.json('load', options)).toMatchObject({ code: 0, result: { read: 8, loaded: 8 } });
  expect((await world.run('load', options)).stdout).toContain(
    'Every row that the mapping and the options mean is there; 2 lines are left out.',
  );
  expect((await world.run('verify', options)).stdout).toContain(
    'BUCH1.DAT: 1 line left out by leave_out Konto "Summe".',
  );

  // The check reads corrected rows too as their mapping says.
  await service.database.sql(
    `DELETE FROM transaction WHERE external_account_number = $1 AND transaction_id = 'D-2'`,
    [account],
  );
  const lost = await world.json('load', options);
  expect(lost).toMatchObject({ code: 1, result: { read: 8, loaded: 7, failed: 1 } });
  expect(lost.result.groups).toMatchObject([{ code: 'not_found_after_load', count: 1 }]);
  expect(await world.json('retry', options)).toMatchObject({ code: 0, result: { read: 8, loaded: 8 } });

  writeFileSync(mapping, JSON.stringify(MAPPING).replace('"Summe"', '"Summe","x"'));
  const other = await world.run('load', options);
  expect(other.code).toBe(2);
  expect(other.stderr).toContain('The mapping of transactions is not the one with which they were loaded');
});

it('a part of the mapping that nothing uses ends every command before anything is sent (L1, L11)', async () => {
  const [account = ''] = accounts(1);
  const fields = { external_account_number: 'A', body: 'B' };
  const table = `Rec,A,B,created_at\nN,${account},one,2026-11-02T09:30:00Z\n`;
  const world = await LoaderWorld.create(service, [account], { 'all.csv': table });
  const run = async (files: readonly object[]): Promise<[number, string]> => {
    const mapping = join(folderWith({ 'mapping.json': JSON.stringify({ files }) }), 'mapping.json');
    const ends: [number, string][] = [];
    for (const command of ['load', 'verify', 'retry']) {
      const { code, stderr } = await world.run(command, ['--mapping', mapping]);
      ends.push([code, stderr.split('\n').slice(1).join('\n').trim() || stderr]);
    }
    expect(ends.map(([code]) => code)).toEqual(ends[0]![0] === 2 ? [2, 2, 2] : [0, 0, 0]);
    return ends[0]!;
  };
  const notes = { match: 'all.csv', kind: 'notes', fields, ignore: ['Rec', 'Colour'] };
  const unfit = { match: 'x*', kind: 'notes' };
  expect(await run([notes, { ...notes, constants: {} }])).toEqual([
    2,
    '"all.csv" (notes): other entries take every file that it fits (all.csv).',
  ]);
  expect((await run([notes, unfit]))[1]).toContain('"x*" (notes): no file fits it.');
  const of = (text: string, more: object): object => ({ ...notes, rows: { Rec: text }, ignore: [], ...more });
  expect((await run([of('N', {}), of('T', {})]))[1]).toContain('other entries take every file');
  const transactions = {
    kind: 'transactions',
    fields: { ...fields, body: undefined, note: 'B' },
    ignore: ['created_at'],
  };
  expect((await run([of('N', {}), of('T', transactions)]))[1]).toContain('rows Rec "T"');
  expect((await run([{ ...notes, ignore: ['?'] }]))[1]).toContain('"all.csv" (notes).ignore.0');
  const files = [notes, { ...unfit, optional: true }];
  expect((await run(files))[0]).toBe(0);
  const mapping = join(folderWith({ 'mapping.json': JSON.stringify({ files }) }), 'mapping.json');
  const { result } = await world.json('load', ['--mapping', mapping]);
  expect(result.left_out).toEqual([{ file: 'all.csv', sheet: null, rule: 'ignore "Colour"', lines: 0 }]);
});

/** A folder in which the previous version of the loader began a load, with the mapping hash that it wrote. */
it.each([
  [
    { skip_lines: 1 },
    '671563669d6cfec9898ee0df982d7e0c4e756b042c38640803918814a84c0c91',
    'x\n',
    { mapping: '1', leftOut: 1 },
  ],
  [undefined, '011f41981e84125cd6107544f81a0b052fb9c1b640cab695fbb44f15a8679120', '', {}],
])(
  'a load that an earlier version began with a mapping goes on: %j (L5)',
  async (form, hash, title, said) => {
    const [account = ''] = accounts(1);
    const fields = { external_account_number: 'A', body: 'B' };
    const content = form
      ? { files: [{ match: 'notes*', optional: true, kind: 'notes', form, fields }] }
      : { notes: { columns: fields, dates: 'DD/MM/YYYY HH:mm', timezone: 'Europe/London' } };
    const day = form ? '2026-11-02T09:30:00Z' : '02/11/2026 09:30';
    const table = `${title}A,B,created_at\n${account},one,${day}\n${account},two,${day}\n`;
    const world = await LoaderWorld.create(service, [account], { 'notes.csv': table });
    const work = join(world.folder, '.data-import-loader');
    mkdirSync(work);
    const sha256 = createHash('sha256').update(table).digest('hex');
    const [bytes, kind] = [table.length, 'notes'];
    const files = [{ name: 'notes.csv', sha256, bytes, modified: 1, unpackedBytes: bytes, ...said, rows: 2 }];
    const target = { supplier: world.world.supplier, baseUrl: service.baseUrl, options: '' };
    const headers = { 'notes.csv': 'A,B,created_at' };
    const ranges = [[0, table.indexOf(`${account},two`)]];
    const journal = [
      { event: 'run', run: 'a', command: 'load', at: 1, ...target },
      { event: 'prepared', preparation: { kind, files, rows: 2, isGrouped: true }, mapping: hash, headers },
      { event: 'ack', kind, at: 1, ranges, loaded: 1, already: 0 },
    ];
    writeFileSync(join(work, 'journal'), ndjson(journal));
    const mapping = join(folderWith({ 'mapping.json': JSON.stringify(content) }), 'mapping.json');
    const end = await world.json('load', ['--mapping', mapping, '--no-check']);
    expect(end).toMatchObject({ code: 0, result: { read: 2, loaded: 2 } });
    expect(end.result.left_out.map(({ lines }) => lines)).toEqual(form ? [1] : []);
    expect(await world.stored('note')).toEqual({ [account]: 1 });
  },
);
