import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import {
  createDatabase,
  createEmptyDatabase,
  createForbiddenDatabase,
  type TestDatabase,
} from '../support/database.js';
import { unique } from '../support/service.js';
import { runCommand, runJson, startCommand, THROUGH_NPM, type RunningCommand } from '../support/cli.js';
import { waitUntil } from '../support/wait-until.js';

const lines = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `{"external_account_number":"N${String(index).padStart(6, '0')}"}\n`,
  ).join('');

describe('operator commands', () => {
  let database: TestDatabase;
  let folder: string;
  /** Commands that nothing but a signal ends. */
  const lasting: RunningCommand[] = [];
  beforeAll(async () => {
    database = await createDatabase();
    folder = await mkdtemp(join(tmpdir(), 'data-import-test-'));
  });
  afterEach(() => {
    for (const command of lasting.splice(0)) command.process.kill('SIGKILL');
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const sql = <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> => database.sql<Row>(text);
  const supplier = async (code: string): Promise<void> => {
    await database.sql(`INSERT INTO import_supplier (code, name, document_root) VALUES ($1, $1, $1)`, [code]);
  };

  it('sets up a supplier and records who changed its status (S1, A8)', async () => {
    await database.sql(`INSERT INTO organisation (name) VALUES ('Beta'), ('Alpha')`);
    const created = await runJson(database, [
      ...['supplier', 'create', 'ACME', '--name', 'Acme Energy'],
      ...['--organisation', 'Beta', '--organisation', 'Alpha'],
    ]);
    const expected = {
      code: 'ACME',
      name: 'Acme Energy',
      status: 'ongoing',
      document_root: 'ACME',
      document_check: 'deferred',
      customer_emails: false,
      organisations: ['Alpha', 'Beta'],
    };
    expect(created).toMatchObject({ exitCode: 0, json: expected });
    for (const status of ['paused', 'paused']) {
      const set = await runJson(database, [
        'supplier',
        'set',
        'ACME',
        '--status',
        status,
        '--customer-emails',
        'on',
      ]);
      expect(set.json).toEqual({ ...expected, status: 'paused', customer_emails: true });
    }
    const revoked = await runJson(database, ['supplier', 'revoke', 'ACME', 'Beta']);
    expect(revoked.json).toMatchObject({ organisations: ['Alpha'] });
    const changes = await sql('SELECT changed_by, from_status, to_status FROM import_supplier_status_change');
    expect(changes).toEqual([{ changed_by: 'test operator', from_status: 'ongoing', to_status: 'paused' }]);
    const listed = await runCommand(database, ['supplier', 'list']);
    expect(listed.stdout).toMatch(/^Code {2}.*\nACME {2}Acme Energy {2}paused {2}Alpha\n$/);
  });

  it('takes back the grant of one supplier to one organisation, and no other (A8)', async () => {
    const [one, other] = [unique('ONE'), unique('OTHER')];
    const [alpha, beta] = [unique('Alpha'), unique('Beta')];
    await supplier(one);
    await supplier(other);
    await database.sql(
      `WITH caller AS (INSERT INTO organisation (name) SELECT unnest($1::text[]) RETURNING id)
       INSERT INTO import_supplier_grant (import_supplier_id, organisation_id)
       SELECT s.id, caller.id FROM import_supplier s, caller WHERE s.code = ANY ($2)`,
      [
        [alpha, beta],
        [one, other],
      ],
    );
    const revoked = await runJson(database, ['supplier', 'revoke', one, beta]);
    expect(revoked).toMatchObject({ exitCode: 0, json: { organisations: [alpha] } });
    const shown = await runJson(database, ['supplier', 'show', other]);
    expect(shown.json).toMatchObject({ organisations: [alpha, beta] });
  });

  it.each([
    ['supplier_exists', ['supplier', 'create', 'TAKEN', '--name', 'x']],
    ['organisation_not_found', ['supplier', 'grant', 'TAKEN', 'Nobody']],
    ['organisation_not_found', ['supplier', 'create', 'NEW', '--name', 'x', '--organisation', 'Nobody']],
    ['invalid_supplier', ['supplier', 'create', 'NEW', '--name', 'x', '--document-root', '../up']],
    ['invalid_supplier', ['supplier', 'create', 'NEW', '--name', 'x', '--document-root', '']],
    ['invalid_supplier', ['supplier', 'create', '../up', '--name', 'x']],
    ['invalid_supplier', ['supplier', 'create', '', '--name', 'x', '--document-root', 'x']],
    ['invalid_supplier', ['supplier', 'create', 'X'.repeat(129), '--name', 'x', '--document-root', 'x']],
    ['invalid_supplier', ['supplier', 'create', 'NEW', '--name', '']],
    ['invalid_supplier', ['supplier', 'create', 'NEW', '--name', 'x'.repeat(257)]],
    ['invalid_supplier', ['supplier', 'set', 'TAKEN', '--document-root', 'down/../../up']],
    ['invalid_supplier', ['supplier', 'set', 'TAKEN', '--document-root', '/absolute']],
    ['invalid_supplier', ['supplier', 'set', 'TAKEN', '--document-root', '']],
    ['supplier_not_found', ['supplier', 'set', 'NOBODY', '--document-root', 'x']],
    ['account_not_found', ['accounts', 'show', 'TAKEN', 'nobody']],
    ['file_not_readable', ['accounts', 'stage', 'TAKEN', 'there-is-no-such-file']],
  ])('refuses with %s in one document: %j', async (code, args) => {
    await database.sql(
      `INSERT INTO import_supplier (code, name, document_root) VALUES ('TAKEN', 'x', 'x') ON CONFLICT DO NOTHING`,
    );
    const { exitCode, json } = await runJson(database, args);
    expect({ exitCode, json }).toEqual({
      exitCode: 1,
      json: { error: { code, detail: expect.stringMatching(/^[^\n]+\.$/) as string } },
    });
  });

  it('takes a supplier of any code whose folder is named, and the longest texts (T14, F1)', async () => {
    const [code, name] = ['../' + '😀'.repeat(125), 'n'.repeat(256)];
    const created = await runJson(database, [
      ...['supplier', 'create', code, '--name', name, '--document-root', 'folder/of it'],
    ]);
    expect(created).toMatchObject({ exitCode: 0, json: { code, name, document_root: 'folder/of it' } });
    const set = await runJson(database, ['supplier', 'set', code, '--document-root', 'another']);
    expect(set.json).toEqual({ ...(created.json as object), document_root: 'another' });
  });

  it('adds a value to a catalogue, once, and lists those of one field or of all (X3)', async () => {
    const value = 'V'.repeat(128);
    const added = { field: 'reason', value };
    for (const said of ['is now allowed', 'was already allowed']) {
      const { exitCode, stdout } = await runCommand(database, ['catalogue', 'add', 'reason', value]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${value} ${said} for reason.\n` });
    }
    const again = await runJson(database, ['catalogue', 'add', 'reason', value]);
    expect(again).toMatchObject({ exitCode: 0, json: added });
    const listed = (await runJson(database, ['catalogue', 'list', 'reason'])).json as { field: string }[];
    expect(listed.filter((one) => JSON.stringify(one) === JSON.stringify(added))).toHaveLength(1);
    expect(new Set(listed.map(({ field }) => field))).toEqual(new Set(['reason']));
    const all = (await runJson(database, ['catalogue', 'list'])).json as { field: string }[];
    expect(new Set(all.map(({ field }) => field))).toEqual(
      new Set(['reason', 'payment_type', 'vendor', 'instruction_type']),
    );
  });

  it.each([
    [[]],
    [['supplier']],
    [['supplier', 'sohw', 'X']],
    [['supplier', 'set', 'X']],
    [['supplier', 'set', 'X', '--status', 'closed']],
    [['supplier', 'set', 'X', '--document-check', 'sometimes']],
    [['supplier', 'set', 'X', '--customer-emails', 'yes']],
    [['supplier', 'create', 'X']],
    [['catalogue', 'add', 'colour', 'RED']],
    [['catalogue', 'add', 'reason', '']],
    [['catalogue', 'add', 'reason', 'X'.repeat(129)]],
    [['accounts', 'import', 'X', '--limit', '0']],
  ])('tells wrong usage: %j', async (args) => {
    const { exitCode, json, stderr } = await runJson(database, args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' });
    expect(json).toEqual({
      error: { code: 'wrong_usage', detail: expect.stringMatching(/^[^\n]+$/) as string },
    });
  });

  it.each([
    ['done', 0, ['supplier', 'show', 'THERE', '--json']],
    ['refused', 1, ['supplier', 'show', 'NOBODY', '--json']],
    ['refused', 1, ['supplier', 'show', 'NOBODY']],
    ['wrong usage', 2, ['supplier', 'sohw']],
  ])(
    'says through npm run what it says by itself, and nothing else: %s, %d, %j (6)',
    async (_, code, args) => {
      await database.sql(
        `INSERT INTO import_supplier (code, name, document_root) VALUES ('THERE', 'x', 'x') ON CONFLICT DO NOTHING`,
      );
      const byItself = await runCommand(database, args);
      expect(byItself.exitCode).toBe(code);
      expect(await runCommand(database, args, '', {}, THROUGH_NPM)).toEqual(byItself);
    },
  );

  it.each([
    ['done', 0, ['--help']],
    ['done', 0, ['supplier', '--help']],
    ['done', 0, ['organisation', 'list']],
    ['refused', 1, ['supplier', 'show', 'NOBODY', '--json']],
    ['refused', 1, ['supplier', 'show', 'NOBODY']],
    ['wrong usage', 2, ['organisation', 'create', '--json']],
    ['wrong usage', 2, ['organisation', 'create']],
  ])('tells its exit code also when nobody reads what it says: %s, %d, %j (6)', async (_, code, args) => {
    const unheard = startCommand(database, args);
    unheard.process.stdout.destroy();
    expect(await unheard.ended).toMatchObject({
      exitCode: code,
      stderr: expect.not.stringContaining('EPIPE') as string,
    });
    const silent = startCommand(database, args);
    silent.process.stderr.destroy();
    expect((await silent.ended).exitCode).toBe(code);
  });

  it.each([[['--help']], [['organisation', 'list']]])(
    'fails when there is no room for what it says: %j (6)',
    async (args) => {
      const toFullDisk = `ulimit -f 0; exec "$0" "$@" > ${join(folder, 'full')}`;
      const way = ['sh', '-c', toFullDisk, process.execPath, 'scripts/cli.mjs'];
      expect((await runCommand(database, args, '', {}, way)).exitCode).toBe(1);
    },
  );

  it('asks for a migration of a database that is behind, and does it', async () => {
    const empty = await createEmptyDatabase();
    try {
      const refused = await runJson(empty, ['supplier', 'list']);
      expect(refused.exitCode).toBe(1);
      expect(refused.json).toMatchObject({ error: { code: 'database_not_migrated' } });
      expect(JSON.stringify(refused.json)).toContain('database migrate');
      const first = await runJson(empty, ['database', 'migrate']);
      expect(first.exitCode).toBe(0);
      expect((first.json as { applied: string[] }).applied[0]).toMatch(/^Organisations/);
      expect((await runJson(empty, ['database', 'migrate'])).json).toEqual({ applied: [] });
      expect((await runJson(empty, ['supplier', 'list'])).json).toEqual([]);
    } finally {
      await empty.drop();
    }
  });

  it('says which right it lacks to bring a database up to date (6)', async () => {
    const forbidden = await createForbiddenDatabase();
    try {
      const { exitCode, json } = await runJson(forbidden, ['database', 'migrate']);
      expect({ exitCode, json }).toEqual({
        exitCode: 1,
        json: {
          error: {
            code: 'insufficient_privilege',
            detail: 'The role in DATABASE_URL lacks a right: permission denied for schema public.',
          },
        },
      });
    } finally {
      await forbidden.drop();
    }
  });

  it.each<[string, (name: string) => string, RegExp]>([
    [
      'read-only',
      (name) => `ALTER DATABASE ${name} SET default_transaction_read_only = on`,
      /^cannot execute \w+ in a read-only transaction$/,
    ],
    [
      'full',
      () => `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
               RAISE 'No space left on device' USING ERRCODE = 'disk_full', DETAIL = 'secret row';
             END $$;
             CREATE TRIGGER refuse BEFORE INSERT ON organisation EXECUTE FUNCTION refuse()`,
      /^No space left on device$/,
    ],
  ])('says what a database that is %s said, and nothing meant for callers (6)', async (_what, make, said) => {
    const unwilling = await createDatabase();
    try {
      await unwilling.sql(make(new URL(unwilling.url).pathname.slice(1)));
      const told = await runJson(unwilling, ['organisation', 'create', 'Gamma']);
      const sentence = /^The database cannot be used just now: (.*)\.$/;
      const { error } = told.json as { error: { code: string; detail: string } };
      expect([told.exitCode, error.code]).toEqual([1, 'service_unavailable']);
      expect(sentence.exec(error.detail)?.[1]).toMatch(said);
      const shown = await runCommand(unwilling, ['organisation', 'create', 'Gamma']);
      expect(shown).toEqual({ exitCode: 1, stdout: '', stderr: `${error.detail}\n` });
    } finally {
      await unwilling.drop();
    }
  });

  it('stages, imports and reports 20,000 accounts with bad lines among them (S3, S7)', async () => {
    await supplier('BULK');
    const file = join(folder, 'bulk.ndjson');
    await writeFile(file, `${lines(20_000)}{"external_account_number":""}\n\nnot json\n`);
    const staged = await runJson(database, ['accounts', 'stage', 'BULK', file]);
    expect(staged).toMatchObject({
      exitCode: 1,
      json: {
        staged: 20_000,
        replaced: 0,
        skipped: 0,
        errors: [
          { line: 20_001, code: 'blank' },
          { line: 20_003, code: 'parse_error' },
        ],
      },
    });
    const halves = await Promise.all([
      runJson(database, ['accounts', 'import', 'BULK', '--limit', '10000']),
      runJson(database, ['accounts', 'import', 'BULK', '--limit', '10000']),
    ]);
    expect(halves.map(({ json }) => json)).toMatchObject([{ imported: 10_000 }, { imported: 10_000 }]);
    const status = await runJson(database, ['migration', 'status', 'BULK']);
    expect(status.json).toEqual({
      import_supplier: 'BULK',
      status: 'ongoing',
      accounts: { pending: 0, in_progress: 0, imported: 20_000, failed: 0 },
      loads: { notes: 0, transactions: 0, statements: 0, payment_instructions: 0 },
      last_error: null,
    });
    const shown = await runJson(database, ['accounts', 'show', 'BULK', 'N000007']);
    expect(shown.json).toEqual({
      import_supplier: 'BULK',
      external_account_number: 'N000007',
      status: 'imported',
      service_account_number: expect.stringMatching(/^A-[0-9A-F]{8}$/) as string,
      account_created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      open_statement_from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      open_statement_to: null,
      counts: { notes: 0, transactions: 0, statements: 0, payment_instructions: 0 },
    });
    const again = await runCommand(database, ['accounts', 'stage', 'BULK', '-'], lines(1));
    expect(again).toMatchObject({ exitCode: 0, stdout: 'Staged 0, replaced 0, skipped 1, bad 0.\n' });
    expect(again.stderr).toContain('N000000');
  });

  it('names bad lines of CSV on standard input (S7)', async () => {
    await supplier('CSV');
    const content = 'external_account_number,name\nA,Ann\n,Bob\n';
    const staged = await runCommand(database, ['accounts', 'stage', 'CSV', '-', '--format', 'csv'], content);
    expect(staged.exitCode).toBe(1);
    expect(staged.stdout).toMatch(/^line 3: required: external_account_number: .*\nStaged 1, .* bad 1\.\n$/);
  });

  it('says so when its bad lines have no room in the temporary folder (S7)', async () => {
    await supplier('NO-ROOM');
    const staged = await runCommand(
      database,
      ['accounts', 'stage', 'NO-ROOM', '-'],
      `{"external_account_number":"GOOD"}\n${'no JSON\n'.repeat(10_001)}`,
      { TMPDIR: join(folder, 'not there') },
    );
    expect(staged).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^The temporary folder .*not there cannot be written to: ENOENT.*\. Name one with more room in TMPDIR\.\n$/,
      ) as string,
    });
  });

  it('finishes what it began when it is interrupted (S3)', async () => {
    await supplier('STOP');
    await runJson(database, ['accounts', 'stage', 'STOP', '-'], lines(10));
    await sql(`INSERT INTO import_lease (import_supplier_id, first_number, last_number, held_by, expires_at)
               SELECT id, 'N000005', 'N000009', 'somebody', now() + interval '1 hour' FROM import_supplier WHERE code = 'STOP'`);
    const command = startCommand(database, ['accounts', 'import', 'STOP', '--json']);
    lasting.push(command);
    await waitUntil('the command has got so far', async () => (await counts('STOP')).imported === 5);
    command.process.kill('SIGINT');
    const { exitCode, stdout, stderr } = await command.ended;
    expect({ exitCode, json: JSON.parse(stdout) as unknown }).toEqual({
      exitCode: 1,
      json: { imported: 5, failed: 0, remaining: 5 },
    });
    expect(stderr).toContain('Interrupted');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'keeps what it has read when %s comes while standard input is silent (S7)',
    async (signal) => {
      const code = `SILENT-${signal}`;
      await supplier(code);
      const staged = async (): Promise<number> => {
        const rows =
          await sql(`SELECT FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
                                 WHERE s.code = '${code}'`);
        return rows.length;
      };
      const command = startCommand(database, ['accounts', 'stage', code, '-', '--json']);
      lasting.push(command);
      // More than a batch, and the beginning of a line; then nothing more comes, and the pipe stays open.
      command.process.stdin.write(`${lines(20_010)}{"external_account_nu`);
      await waitUntil('a batch is stored', async () => (await staged()) > 0);
      command.process.kill(signal);
      const { exitCode, stdout, stderr } = await command.ended;
      expect({ exitCode, json: JSON.parse(stdout) as unknown }).toEqual({
        exitCode: 1,
        json: { staged: await staged(), replaced: 0, skipped: 0, errors: [] },
      });
      expect(stderr).toContain('Interrupted');
    },
  );

  it.each([
    ['SIGTERM', 143, ['database', 'migrate'], 'SELECT pg_advisory_lock(7300)'],
    ['SIGINT', 130, ['migration', 'status', 'WAITING'], 'BEGIN; LOCK TABLE account_import'],
  ] as const)(
    'ends on the first %s, with exit code %i, while %j waits for the database (section 6)',
    async (signal, exitCode, args, lock) => {
      await sql(`INSERT INTO import_supplier (code, name, document_root) VALUES ('WAITING', 'x', 'x')
                 ON CONFLICT DO NOTHING`);
      const holder = new pg.Client({ connectionString: database.url });
      await holder.connect();
      try {
        await holder.query(lock);
        const command = startCommand(database, [...args, '--json']);
        lasting.push(command);
        const [waiting] = await database.blocked(1);
        command.process.kill(signal);
        const end = await command.ended;
        const detail = `The command was interrupted (${signal}) before it was done.`;
        const stdout = `${JSON.stringify({ error: { code: 'interrupted', detail } })}\n`;
        expect(end).toEqual({ exitCode, stdout, stderr: '' });
        await sql(`SELECT pg_terminate_backend(${waiting})`);
      } finally {
        await holder.end();
      }
    },
  );

  it.each([
    ['when they are told', 'ongoing', 1, { errors: expect.any(Array) as unknown }],
    ['when the file is not staged after all', 'paused', 1, { error: expect.any(Object) as unknown }],
  ])(
    'keeps many bad lines in a file that only its owner reads, and removes it %s (S7)',
    async (_when, status, exitCode, json) => {
      const [code, temporary] = [`SPOOL-${status}`, join(folder, status)];
      await supplier(code);
      await mkdir(temporary);
      const command = startCommand(database, ['accounts', 'stage', code, '-', '--json'], {
        TMPDIR: temporary,
      });
      lasting.push(command);
      command.process.stdin.write('not json\n'.repeat(10_000));
      await waitUntil('the bad lines are put aside', async () => (await readdir(temporary)).length > 0);
      const [name] = await readdir(temporary);
      expect((await stat(join(temporary, name!))).mode & 0o777).toBe(0o600);
      await sql(`UPDATE import_supplier SET status = '${status}' WHERE code = '${code}'`);
      command.process.stdin.end(lines(1));
      const { stdout, ...end } = await command.ended;
      expect({ exitCode: end.exitCode, json: JSON.parse(stdout) as unknown }).toMatchObject({
        exitCode,
        json,
      });
      expect(await readdir(temporary)).toEqual([]);
    },
  );

  it('does not take a folder on standard input for an empty file (S7)', async () => {
    await supplier('FOLDER');
    const shell = ['sh', '-c', 'exec "$0" scripts/cli.mjs "$@" < .', process.execPath];
    const words = ['accounts', 'stage', 'FOLDER', '-', '--json'];
    // The shell drops the pipe that the test would write to, so nothing is written.
    const command = startCommand(database, words, {}, shell);
    lasting.push(command);
    const { exitCode, stdout } = await command.ended;
    expect({ exitCode, json: JSON.parse(stdout) as unknown }).toMatchObject({
      exitCode: 1,
      json: { error: { code: 'file_not_readable' } },
    });
  });

  it('leaves nothing lost or doubled when it is killed in the middle of a stretch (S3, S4)', async () => {
    await supplier('KILL');
    await runJson(database, ['accounts', 'stage', 'KILL', '-'], lines(5_000));
    // A row that somebody else holds keeps the importer between its claim and its import.
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
                         WHERE s.code = 'KILL' AND external_account_number = 'N003000' FOR UPDATE OF a`);
    const command = startCommand(database, ['accounts', 'import', 'KILL', '--concurrency', '1']);
    lasting.push(command);
    try {
      await waitUntil('the command has got so far', async () => (await counts('KILL')).imported === 2_000);
      await waitUntil('the command has got so far', async () => (await claims('KILL')) === 1);
      command.process.kill('SIGKILL');
      await command.ended;
    } finally {
      await holder.end();
    }
    expect(await claims('KILL')).toBe(1);
    await sql(`UPDATE import_lease SET expires_at = now()`);
    const rest = await runJson(database, ['accounts', 'import', 'KILL']);
    expect(rest.json).toEqual({ imported: 3_000, failed: 0, remaining: 0 });
    expect(await counts('KILL')).toEqual({ imported: 5_000, unique: 5_000 });
    expect(await claims('KILL')).toBe(0);
  });

  const counts = async (code: string): Promise<{ imported: number; unique: number }> => {
    const [row] = await sql<{ imported: number; unique: number }>(
      `SELECT count(*)::integer AS imported, count(DISTINCT service_account_number)::integer AS unique
         FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
        WHERE s.code = '${code}' AND a.status = 'imported'`,
    );
    return row!;
  };
  const claims = async (code: string): Promise<number> => {
    const rows =
      await sql(`SELECT c.id FROM import_lease c JOIN import_supplier s ON s.id = c.import_supplier_id
                             WHERE s.code = '${code}'`);
    return rows.length;
  };
});
