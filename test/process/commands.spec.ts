import { join } from 'node:path';
import {
  documentIn,
  runCommand,
  runProcess,
  startProcess,
  THROUGH_NPM,
  type CommandProcess,
  refusedWith,
} from '../support/cli.js';
import { createDatabase } from '../support/database.js';
import { setUp } from '../support/set-up.js';
import { folderWith } from '../support/folders.js';

// The commands themselves are tested in one process (test/e2e/apps/cli). These tests need separate processes.
describe('an operator command as a process', () => {
  const database = setUp(createDatabase);
  const folder = folderWith();
  /** Processes that only a signal ends. */
  const lasting: CommandProcess[] = [];
  beforeAll(() =>
    database.sql(`INSERT INTO import_supplier (code, name, document_root) VALUES ('EXISTING', 'X', 'x')`),
  );
  afterEach(() => {
    for (const command of lasting.splice(0)) command.process.kill('SIGKILL');
  });

  const start = (args: string[], settings: Record<string, string> = {}, way?: string[]): CommandProcess => {
    const command = startProcess(database, args, settings, way);
    lasting.push(command);
    return command;
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
});
