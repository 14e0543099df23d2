import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../../support/database.js';
import { runCommand, runJson } from '../../../support/cli.js';
import { inBlock } from '../../../support/set-up.js';

describe('data-import database', () => {
  let database: TestDatabase;
  afterEach(() => database.drop());

  it('migrates an outdated database, which every other command refuses (section 6)', async () => {
    database = await createEmptyDatabase();
    const refused = await runJson(database, ['supplier', 'list']);
    expect(refused.exitCode).toBe(1);
    expect(refused.json).toMatchObject({ error: { code: 'database_not_migrated' } });
    expect(JSON.stringify(refused.json)).toContain('database migrate');
    const first = await runJson(database, ['database', 'migrate']);
    expect(first.exitCode).toBe(0);
    expect((first.json as { applied: string[] }).applied[0]).toMatch(/^Organisations/);
    expect((await runJson(database, ['database', 'migrate'])).json).toEqual({ applied: [] });
    expect((await runJson(database, ['supplier', 'list'])).json).toEqual([]);
  });

  it.each([
    ['distribute', 'citus_missing', /does not have the extension citus: install it on every node/],
    ['nodes', 'database_not_distributed', /"data-import database distribute" distributes it\.$/],
    ['check-numbers', 'database_not_distributed', /"data-import database distribute" distributes it\.$/],
  ])('has a sentence for %s on a server without Citus (section 6)', async (command, code, sentence) => {
    database = await createDatabase();
    const { exitCode, json } = await runJson(database, ['database', command]);
    const detail = expect.stringMatching(sentence) as string;
    expect({ exitCode, json }).toEqual({ exitCode: 1, json: { error: { code, detail } } });
  });
});

describe('an operator command', () => {
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
  ])(
    'prints the message of a database that is %s, without its details (section 6)',
    async (_, make, message) => {
      await using database = inBlock(await createDatabase());
      await database.sql(make(new URL(database.url).pathname.slice(1)));
      const refused = await runJson(database, ['organisation', 'create', 'Gamma']);
      const sentence = /^The database cannot be used just now: (.*)\.$/;
      const { error } = refused.json as { error: { code: string; detail: string } };
      expect([refused.exitCode, error.code]).toEqual([1, 'service_unavailable']);
      expect(sentence.exec(error.detail)?.[1]).toMatch(message);
      const shown = await runCommand(database, ['organisation', 'create', 'Gamma']);
      expect(shown).toEqual({ exitCode: 1, stdout: '', stderr: `${error.detail}\n` });
    },
  );

  it.each([
    [['--help'], 0],
    [['supplier', 'set', '--help'], 0],
    [['help', 'supplier'], 0],
    [['help', 'supplier', 'set'], 0],
    [['status'], 2],
    [['supplier', 'list', '--colour'], 2],
    [[], 2],
  ])('reads no settings and opens no database for help and wrong usage: %j', async (args, exitCode) => {
    const variables = (): never => {
      throw new Error('A setting was read.');
    };
    const end = await runCommand({ url: '' }, args, '', {}, { variables });
    const help = expect.stringMatching(/^Usage: data-import [^]*--json[^]*--help/) as string;
    const anything = expect.stringMatching(/./) as string;
    expect(end).toEqual(
      exitCode === 0 ? { exitCode, stdout: help, stderr: '' } : { exitCode, stdout: '', stderr: anything },
    );
  });

  it('prints the help of --json --help on standard error (section 6)', async () => {
    const end = await runCommand({ url: '' }, ['supplier', '--help', '--json']);
    const help = expect.stringMatching(/^Usage: data-import supplier /) as string;
    expect(end).toEqual({ exitCode: 0, stdout: '', stderr: help });
  });

  it('reports when its database cannot be reached, in one document or in one line (section 6)', async () => {
    const unreachable = { url: 'postgres://user:secret@127.0.0.1:1/nothing' } as TestDatabase;
    const detail =
      'The database nothing at 127.0.0.1:1 (DATABASE_URL) cannot be used: nothing answers at 127.0.0.1:1.';
    const json = { error: { code: 'cannot_start', detail } };
    expect(await runJson(unreachable, ['supplier', 'list'])).toEqual({ exitCode: 1, stderr: '', json });
    const shown = await runCommand(unreachable, ['supplier', 'list']);
    expect(shown).toEqual({ exitCode: 1, stdout: '', stderr: `${detail}\n` });
  });
});
