import { join } from 'node:path';
import {
  documentIn,
  runCommand,
  runJson,
  runProcess,
  startProcess,
  THROUGH_NPM,
  type CommandProcess,
  refusedWith,
} from '../support/cli.js';
import { createDatabase } from '../support/database.js';
import { setUp } from '../support/set-up.js';
import { waitUntil } from '../support/wait-until.js';
import { folderWith } from '../support/folders.js';

const lines = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `{"external_account_number":"N${String(index).padStart(6, '0')}"}\n`,
  ).join('');

// The commands themselves are tested in one process (test/e2e/apps/cli). These tests need separate processes.
describe('an operator command as a process', () => {
  const database = setUp(createDatabase);
  const folder = folderWith();
  /** Processes that only a signal ends. */
  const lasting: CommandProcess[] = [];
  beforeAll(async () => {
    await supplier('EXISTING');
  });
  afterEach(() => {
    for (const command of lasting.splice(0)) command.process.kill('SIGKILL');
  });

  const start = (args: string[], settings: Record<string, string> = {}, way?: string[]): CommandProcess => {
    const command = startProcess(database, args, settings, way);
    lasting.push(command);
    return command;
  };
  const supplier = async (code: string): Promise<void> => {
    await database.sql(`INSERT INTO import_supplier (code, name, document_root) VALUES ($1, $1, $1)`, [code]);
  };

  it('prints the same through npm run, and nothing else (section 6)', async () => {
    const wrong = ['supplier', 'sohw'];
    const inProcess = await runCommand(database, wrong);
    expect(inProcess.exitCode).toBe(2);
    expect(await runProcess(database, wrong, '', {}, THROUGH_NPM)).toEqual(inProcess);
  });

  it('has the same exit code when nobody reads what it prints (section 6)', async () => {
    const unread = async (args: string[], stream: 'stdout' | 'stderr'): Promise<unknown> => {
      const command = start(args);
      command.process[stream].destroy();
      const { exitCode, stderr } = await command.ended;
      expect(stderr).not.toContain('EPIPE');
      return exitCode;
    };
    const exitCodes = Promise.all([
      unread(['--help'], 'stdout'),
      unread(['supplier', 'show', 'NOBODY', '--json'], 'stdout'),
      unread(['organisation', 'create'], 'stderr'),
    ]);
    expect(await exitCodes).toEqual([0, 1, 2]);
  });

  it('fails when the disk is too full for its output (section 6)', async () => {
    const toFullDisk = `ulimit -f 0; exec "$0" "$@" > ${join(folder, 'full')}`;
    const way = ['sh', '-c', toFullDisk, process.execPath, 'scripts/cli.mjs'];
    expect((await runProcess(database, ['--help'], '', {}, way)).exitCode).toBe(1);
  });

  // For a wait for the migration lock, see test/process/start.spec.ts.
  it('ends on the first SIGINT, with exit code 130, while it waits for the database (section 6)', async () => {
    await using holder = await database.connect();
    await holder.query('BEGIN; LOCK TABLE account_import');
    const command = start(['migration', 'status', 'EXISTING', '--json']);
    const [waiting] = await database.blocked(1);
    command.process.kill('SIGINT');
    const end = await command.ended;
    const detail = 'The command was interrupted (SIGINT) before it was done.';
    const stdout = `${JSON.stringify({ error: { code: 'interrupted', detail } })}\n`;
    expect(end).toEqual({ exitCode: 130, stdout, stderr: '' });
    await database.sql(`SELECT pg_terminate_backend(${waiting})`);
  });

  it('refuses a directory on standard input, which would read like an empty file (S7)', async () => {
    const shell = ['sh', '-c', 'exec "$0" scripts/cli.mjs "$@" < .', process.execPath];
    // The shell replaces the pipe of the test, so nothing is written.
    const command = start(['accounts', 'stage', 'EXISTING', '-', '--json'], {}, shell);
    const { exitCode, stdout } = await command.ended;
    expect({ exitCode, json: documentIn(stdout) }).toMatchObject(refusedWith('file_not_readable'));
  });

  it('loses and doubles no account when it is killed in the middle of a chunk (S3, S4)', async () => {
    await supplier('KILL');
    await runJson(database, ['accounts', 'stage', 'KILL', '-'], lines(5_000));
    // A row locked by another transaction holds the importer between lease and import.
    const holder = await database.connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
                         WHERE s.code = 'KILL' AND external_account_number = 'N003000' FOR UPDATE OF a`);
    const imported = async (): Promise<number> => (await accounts('KILL', 'imported')).length;
    const command = start(['accounts', 'import', 'KILL', '--concurrency', '1']);
    try {
      await waitUntil('the first chunk is imported', async () => (await imported()) === 2_000);
      await waitUntil('the second chunk is leased', async () => (await leases('KILL')) === 1);
      command.process.kill('SIGKILL');
      await command.ended;
    } finally {
      await holder.end();
    }
    expect(await leases('KILL')).toBe(1);
    await database.sql(`UPDATE import_lease SET expires_at = now()`);
    const rest = await runJson(database, ['accounts', 'import', 'KILL']);
    expect(rest.json).toEqual({ imported: 3_000, failed: 0, remaining: 0 });
    const numbers = await accounts('KILL', 'imported');
    expect([numbers.length, new Set(numbers).size]).toEqual([5_000, 5_000]);
    expect(await leases('KILL')).toBe(0);
  });

  /** Platform numbers of a supplier's accounts with this status. */
  const accounts = async (code: string, status: string): Promise<(string | null)[]> => {
    const rows = await database.sql<{ service_account_number: string | null }>(
      `SELECT service_account_number FROM account_import a JOIN import_supplier s ON s.id = a.import_supplier_id
        WHERE s.code = $1 AND a.status = $2`,
      [code, status],
    );
    return rows.map(({ service_account_number }) => service_account_number);
  };
  const leases = async (code: string): Promise<number> => {
    const rows = await database.sql(
      `SELECT FROM import_lease l JOIN import_supplier s ON s.id = l.import_supplier_id WHERE s.code = $1`,
      [code],
    );
    return rows.length;
  };
});
