import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PassThrough } from 'node:stream';
import { workbookOf } from '../../../../packages/files/test/support/workbook.js';
import { zipOf } from '../../../../packages/files/test/support/zip.js';
import { createDatabase } from '../../../support/database.js';
import {
  cellsOf,
  documentIn,
  runCommand,
  runJson,
  startCommand,
  useTemporaryFolder,
  refusedWith,
} from '../../../support/cli.js';
import { givenIn, unique } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { waitUntil } from '../../../support/wait-until.js';
import { folderWith } from '../../../support/folders.js';

const lines = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `{"external_account_number":"N${String(index).padStart(6, '0')}"}\n`,
  ).join('');

describe('data-import accounts', () => {
  const database = setUp(createDatabase);
  const folder = folderWith();
  afterEach(() => {
    useTemporaryFolder();
  });

  it('stages, imports and reports 2,000 accounts with bad lines among them (S3, S7)', async () => {
    const code = await supplier('BULK');
    await writeFile(join(folder, 'bulk'), `${lines(2_000)}{"external_account_number":""}\n\nnot json\n`);
    // A relative path is resolved against the operator's directory.
    const stage = ['accounts', 'stage', code, 'bulk', '--json'];
    const staged = await runCommand(database, stage, '', {}, { cwd: folder });
    expect({ ...staged, stdout: documentIn(staged.stdout) }).toEqual({
      exitCode: 1,
      stderr: '',
      stdout: {
        staged: 2_000,
        replaced: 0,
        skipped: 0,
        repeated: [],
        errors: [
          expect.objectContaining({ line: 2_001, code: 'blank' }),
          expect.objectContaining({ line: 2_003, code: 'parse_error' }),
        ],
      },
    });
    const halves = await Promise.all([
      runJson(database, ['accounts', 'import', code, '--limit', '1000']),
      runJson(database, ['accounts', 'import', code, '--limit', '1000']),
    ]);
    expect(halves.map(({ json }) => json)).toMatchObject([{ imported: 1_000 }, { imported: 1_000 }]);
    const status = await runJson(database, ['migration', 'status', code]);
    expect(status.json).toEqual({
      import_supplier: code,
      status: 'ongoing',
      accounts: { pending: 0, in_progress: 0, imported: 2_000, failed: 0 },
      control: {
        ...{ with: 0, agree: 0, differ: 0, not_imported: 0, incomplete: 0, too_many: 0, wrong_amount: 0 },
        at: expect.any(String) as string,
      },
      loaded_accounts: 0,
      loads: { notes: 0, transactions: 0, statements: 0, payment_instructions: 0 },
      rows: null,
      forecast: { kind: 'all_imported' },
      last_error: null,
      next: { command: null, reason: 'The supplier loads the rest: nothing is loaded yet.' },
    });
    const shown = await runJson(database, ['accounts', 'show', code, 'N000007']);
    expect(shown.json).toEqual({
      import_supplier: code,
      external_account_number: 'N000007',
      status: 'imported',
      service_account_number: expect.stringMatching(/^A-[0-9A-F]{8}$/) as string,
      account_created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      open_statement_from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      open_statement_to: null,
      counts: { notes: 0, transactions: 0, statements: 0, payment_instructions: 0 },
    });
    const again = await runCommand(database, ['accounts', 'stage', code, '-'], lines(1));
    expect(again).toMatchObject({ exitCode: 0, stdout: 'Staged 0, replaced 0, skipped 1, bad 0.\n' });
    expect(again.stderr).toContain('N000000');
  });

  it('shows an account and the progress of its supplier to a person (section 6)', async () => {
    const code = await supplier('SHOWN');
    await runJson(database, ['accounts', 'stage', code, '-'], lines(2));
    await database.sql(
      `UPDATE account_import SET status = 'failed', failure = 'It did not work.', failed_at = now()
        WHERE external_account_number = 'N000001'
          AND import_supplier_id = (SELECT id FROM import_supplier WHERE code = $1)`,
      [code],
    );
    await givenIn(database).changed(code, 'pending, failed', 'VALUES (-1, 1)');
    const shown = await runCommand(database, ['accounts', 'show', code, 'N000001']);
    expect(cellsOf(shown.stdout)).toEqual([
      ['Import supplier', code],
      ['External number', 'N000001'],
      ['Status', 'failed'],
      ['Failure', 'It did not work.'],
      ['Platform number', 'none'],
      ['Imported', 'not yet'],
      ['Open period from', 'the day of import'],
      ['Open period to', 'today'],
      ['Notes', '0'],
      ['Transactions', '0'],
      ['Statements', '0'],
      ['Payment instructions', '0'],
    ]);
    const status = await runCommand(database, ['migration', 'status', code]);
    expect(cellsOf(status.stdout)).toEqual([
      ['Import supplier', code],
      ['Status', 'ongoing'],
      ['Accounts pending', '1'],
      ['In progress', '0'],
      ['Imported', '0'],
      ['Failed', '1'],
      ['With at least one import', '0'],
      ['Notes', '0'],
      ['Transactions', '0'],
      ['Statements', '0'],
      ['Payment instructions', '0'],
      ['With control totals', '0'],
      ['Forecast', 'No account imported in the last week.'],
      ['Problem', '1 account failed, most often “It did not work” (1)'],
      ['Waiting', '1 account is pending'],
      ['Waiting', 'nobody said what must be there'],
      ['Last error', 'N000001: It did not work.'],
      ['Next command', `data-import accounts import ${code}`],
      ['', '1 account is pending.'],
    ]);
    expect((await runJson(database, ['migration', 'status', code])).json).toMatchObject({
      last_error: { external_account_number: 'N000001', detail: 'It did not work.' },
    });
  });

  it.each([
    ['account_not_found', ['show', 'REFUSED', 'nobody']],
    ['supplier_not_found', ['show', 'NOBODY', 'nobody']],
    ['supplier_not_found', ['import', 'NOBODY']],
    ['supplier_not_found', ['list', 'NOBODY']],
    ['file_not_readable', ['stage', 'REFUSED', 'there-is-no-such-file']],
    ['file_not_readable', ['stage', 'REFUSED', tmpdir()]],
  ])('refuses with %s in one document: %j', async (code, args) => {
    await database.sql(
      `INSERT INTO import_supplier (code, name, document_root) VALUES ('REFUSED', 'x', 'x') ON CONFLICT DO NOTHING`,
    );
    expect(await runJson(database, ['accounts', ...args])).toEqual({
      ...refusedWith(code, expect.stringMatching(/^[^\n]+\.$/)),
      stderr: '',
    });
  });

  it.each([
    [['import', 'X', '--limit', '0'], 'It must be a whole number from 1 on.'],
    [['import', 'X', '--concurrency', '17'], 'It must be a whole number from 1 to 16.'],
    [['stage', 'X', '-', '--format', 'xml'], 'Allowed choices are ndjson, csv.'],
    [['list', 'X', '--state', 'other'], 'Allowed choices are pending, in_progress, imported, failed'],
    [['list', 'X', '--load', 'all'], 'Allowed choices are none, some'],
  ])('ends as wrong usage: %j', async (args, detail) => {
    expect(await runJson(database, ['accounts', ...args])).toEqual({
      ...refusedWith('wrong_usage', expect.stringContaining(detail)),
      stderr: '',
    });
  });

  const table = 'Kundennr;Ab;Notizen;Name\n1;05.11.2026;2;Müller\n';
  const fields = {
    external_account_number: 'Kundennr',
    open_statement_from: { column: 'Ab', dates: 'DD.MM.YYYY' },
    'control.notes': 'Notizen',
  };
  const form = { delimiter: ';' };
  const sheet = [
    ['Kundennr', 'Ab', 'Notizen', 'Name'],
    ['1', '05.11.2026', { xml: '><v>2</v></c>' }, 'Müller'],
  ];
  it.each([
    ['Kunden.csv', Buffer.from(table, 'latin1'), { ...form, encoding: 'windows-1252' }],
    ['Kunden.csv.gz', gzipSync(table), form],
    [
      'Kunden.xlsx',
      workbookOf([
        { name: '1', rows: [['x']] },
        { name: '2', rows: sheet },
      ]),
      { sheet: '2' },
    ],
    [
      'Kunden.json',
      Buffer.from('{"of":{"all":[\n{"Kundennr":"1","Ab":"05.11.2026","Notizen":2,"Name":"Müller"}]}}'),
      { records: 'of.all[]' },
    ],
    ['Kunden.zip', zipOf([{ name: 'Kunden.csv', content: table }]), form],
  ])(
    'stage %s with a mapping, and set its control totals from it (S7, V6, L11)',
    async (name, content, of) => {
      const code = await supplier('MAPPED');
      const entry = { match: ['Kunden*', 'Kunden.zip/*'], kind: 'accounts', fields, form: of };
      const other = { match: '*', kind: 'transactions', fields: { amount: 'Betrag' } };
      const mapping = join(folder, `${name}.mapping`);
      await writeFile(mapping, JSON.stringify({ files: [entry, other] }));
      await writeFile(join(folder, name), content);
      const args = [code, join(folder, name), '--mapping', mapping];
      expect(await runJson(database, ['accounts', 'stage', ...args])).toMatchObject({
        exitCode: 0,
        json: { staged: 1, errors: [] },
      });
      expect(
        await database.sql(
          `SELECT external_account_number AS number, open_statement_from::text AS day, account, c.notes
           FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
           JOIN account_control c USING (import_supplier_id, external_account_number) WHERE s.code = $1`,
          [code],
        ),
      ).toEqual([{ number: '1', day: '2026-11-05', account: { Name: 'Müller' }, notes: '2' }]);
      expect(await runJson(database, ['accounts', 'set-controls', ...args])).toMatchObject({
        exitCode: 0,
        json: { changed: 0, unchanged: 1, errors: [] },
      });
    },
  );

  it.each([
    ['{"files": [{"match": "*", "kind": "accounts", "fields": {"number": "a"}}]}', 'number is no field'],
    [
      '{"files": [{"match": "other*", "kind": "accounts"}, {"match": "*", "kind": "notes"}]}',
      'accounts for file.csv',
    ],
    ['no JSON', 'is not JSON'],
    [undefined, 'it does not exist'],
  ])('ends as wrong usage with the mapping %s', async (content, detail) => {
    const mapping = join(folder, content === undefined ? 'no mapping' : 'bad.mapping');
    if (content !== undefined) await writeFile(mapping, content);
    const args = ['accounts', 'stage', 'X', join(folder, 'file.csv'), '--mapping', mapping];
    expect(await runJson(database, args)).toMatchObject(
      refusedWith('wrong_usage', expect.stringContaining(detail)),
    );
  });

  it('completes the accounts in progress when it is interrupted, and imports no more (S3)', async () => {
    const code = await supplier('STOP');
    await runJson(database, ['accounts', 'stage', code, '-'], lines(10));
    await database.sql(
      `INSERT INTO import_lease (import_supplier_id, first_number, last_number, held_by, expires_at)
       SELECT id, 'N000005', 'N000009', 'somebody', now() + interval '1 hour' FROM import_supplier WHERE code = $1`,
      [code],
    );
    const command = startCommand(database, ['accounts', 'import', code, '--json']);
    await waitUntil('the command has got so far', async () => (await imported(code)) === 5);
    command.signal('SIGINT');
    const { exitCode, stdout, stderr } = await command.ended;
    expect({ exitCode, json: documentIn(stdout) }).toEqual({
      exitCode: 1,
      json: { imported: 5, failed: 0, remaining: 5 },
    });
    expect(stderr).toContain('Interrupted');
    expect(command.exits).toEqual([]);
  });

  it('tells records of a JSON document apart that share a line (S7, L11)', async () => {
    const [code, file, mapping] = [
      await supplier('LINE'),
      join(folder, 'one-line.json'),
      join(folder, 'one-line'),
    ];
    const records = [
      { no: '1' },
      { no: '2', name: 'Bob' },
      { no: '2', name: 'Eve' },
      { no: '3' },
      { no: '3' },
    ];
    await writeFile(file, JSON.stringify({ all: records }));
    const fields = { external_account_number: 'no' };
    const entry = { match: '*', kind: 'accounts', form: { records: 'all[]' }, fields };
    await writeFile(mapping, JSON.stringify({ files: [entry] }));
    const problem = { line: 1, code: 'duplicate_external_account_numbers' };
    expect(await runJson(database, ['accounts', 'stage', code, file, '--mapping', mapping])).toMatchObject({
      exitCode: 1,
      json: { staged: 2, skipped: 1, repeated: [{ line: 1, first_line: 1 }], errors: [problem, problem] },
    });
  });

  it('stages nothing when SIGINT arrives before the end of standard input (S7)', async () => {
    const code = await supplier('SILENT');
    const temporary = join(folder, 'silent');
    await mkdir(temporary);
    useTemporaryFolder(temporary);
    const command = startCommand(database, ['accounts', 'stage', code, '-', '--json']);
    // After the beginning of a line, the pipe stays open without more data.
    command.stdin.write(`${lines(20_010)}{"external_account_nu`);
    await waitUntil('the lines are read', () => Promise.resolve(command.stdin.readableLength === 0));
    command.signal('SIGINT');
    const { exitCode, stdout, stderr } = await command.ended;
    expect({ exitCode, json: documentIn(stdout) }).toEqual({
      exitCode: 1,
      json: { staged: 0, replaced: 0, skipped: 0, repeated: [], errors: [] },
    });
    expect(stderr).toContain('Interrupted');
    expect(command.exits).toEqual([]);
    expect([await staged(code), await readdir(temporary)]).toEqual([0, []]);
  });

  it('reads standard input and a pipe twice, and leaves no file (S7)', async () => {
    const [code, temporary, pipe] = [await supplier('PIPE'), join(folder, 'pipes'), join(folder, 'pipe.csv')];
    await mkdir(temporary);
    useTemporaryFolder(temporary);
    const content = 'external_account_number,name\n1,Ann\n2,Bob\n1,Ann\n2,Eve\n';
    const problem = { code: 'duplicate_external_account_numbers' };
    const json = {
      ...{ replaced: 0, skipped: 1, repeated: [{ line: 4, first_line: 2 }] },
      errors: [
        { line: 3, ...problem },
        { line: 5, ...problem },
      ],
    };
    const stage = ['accounts', 'stage', code, '-', '--format', 'csv'];
    expect(await runJson(database, stage, content)).toMatchObject({
      exitCode: 1,
      json: { ...json, staged: 1 },
      stderr: 'Repeated with the same content, so skipped: line 4 (as line 2).\n',
    });
    expect(await runCommand(database, stage, content)).toMatchObject({
      stdout: expect.stringMatching(
        /^line 3: dup.* Line 5 .*\nline 5: dup.* Line 3 .*\nStaged 0, replaced 1, skipped 1, bad 2\.\n$/,
      ) as string,
    });
    execFileSync('mkfifo', [pipe]);
    const [piped] = await Promise.all([
      runJson(database, ['accounts', 'stage', code, pipe]),
      writeFile(pipe, content),
    ]);
    expect(piped.json).toMatchObject({ ...json, staged: 0, replaced: 1 });
    expect(await readdir(temporary)).toEqual([]);
  });

  it('names the temporary folder when its bad lines cannot be written there (S7)', async () => {
    const code = await supplier('NO-ROOM');
    useTemporaryFolder(join(folder, 'not there'));
    const content = `{"external_account_number":"GOOD"}\n${'no JSON\n'.repeat(10_001)}`;
    expect(await runCommand(database, ['accounts', 'stage', code, '-'], content)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^The temporary folder .*not there cannot be written to: it does not exist\. Name one with more room in TMPDIR\.\n$/,
      ) as string,
    });
  });

  it('shows its progress on a terminal, and not under --json (section 6)', async () => {
    const code = await supplier('PROGRESS');
    await runJson(database, ['accounts', 'stage', code, '-'], lines(3));
    const terminal = (): PassThrough => Object.assign(new PassThrough(), { isTTY: true });
    const shown = async (...args: string[]): Promise<string> => {
      const stderr = terminal();
      await runCommand(database, ['accounts', 'import', code, ...args], '', {}, { stderr });
      return (stderr.read() as Buffer | null)?.toString() ?? '';
    };
    expect(await shown('--limit', '2', '--json')).toBe('');
    expect(await shown()).toContain('1 of 1 accounts');
  });

  async function supplier(name: string): Promise<string> {
    const code = unique(name);
    await database.sql(`INSERT INTO import_supplier (code, name, document_root) VALUES ($1, $1, $1)`, [code]);
    return code;
  }

  async function staged(code: string, status = 'pending'): Promise<number> {
    const rows = await database.sql(
      `SELECT FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
        WHERE s.code = $1 AND a.status = $2`,
      [code, status],
    );
    return rows.length;
  }

  function imported(code: string): Promise<number> {
    return staged(code, 'imported');
  }
});
