import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { runCommand } from '../support/cli.js';
import { createForbiddenDatabase, type TestDatabase } from '../support/database.js';
import {
  connectTo,
  isAlive,
  onlyWith,
  postgresIn,
  spawnService,
  sqlIn,
  type ServiceProcess,
} from '../support/service-process.js';
import { folderWith } from '../support/folders.js';
import { blocksOf, runBlocks } from '../support/page-commands.js';
import { waitUntil } from '../support/wait-until.js';
import { inBlock } from '../support/set-up.js';
import { listening } from '../support/listening.js';

const KEY = 'a signing key that only the tests know';

/** A folder that only its owner can enter, like root's home folder. */
let home: string;
const started: ServiceProcess[] = [];
const commands: ChildProcess[] = [];

function start(settings: Record<string, string>): ServiceProcess {
  const service = spawnService(settings);
  started.push(service);
  return service;
}

/** Start an operator command, which is ended after the tests at the latest. */
function startCommand(
  args: string[],
  settings: Record<string, string>,
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcessByStdio<Writable | null, null, Readable> {
  const child = spawn(process.execPath, ['scripts/cli.mjs', ...args], {
    env: onlyWith(settings),
    stdio: [stdin, 'ignore', 'pipe'],
  }) as ChildProcessByStdio<Writable | null, null, Readable>;
  commands.push(child);
  return child;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'data-import-start-'));
});
afterAll(async () => {
  for (const child of commands) child.kill('SIGKILL');
  for (const service of started) {
    service.kill('SIGKILL');
    await service.ended;
  }
  for (const name of await readdir(home)) {
    await waitUntil('PostgreSQL has ended', async () => !(await postgresIn(join(home, name))));
  }
  await rm(home, { recursive: true, force: true });
});

/** The tests build on each other: together they cover the life of one DATA_DIR with few starts. */
describe('npm start with the embedded PostgreSQL', () => {
  let dataDir: string;
  /** The folder's name has unusual characters, and libpq variables point to other servers. */
  let settings: Record<string, string>;
  beforeAll(() => {
    dataDir = join(home, `it's a "folder" with ümläuts $HOME`);
    settings = {
      DATA_DIR: dataDir,
      PGSSLMODE: 'require',
      PGSSLNEGOTIATION: 'direct',
      PGDATA: join(home, 'theirs'),
      PGHOST: 'elsewhere.example',
      PGPORT: '1',
    };
  });

  async function countOrganisations(): Promise<number> {
    const [row] = await sqlIn<{ count: number }>(
      dataDir,
      `SELECT count(*)::int FROM organisation WHERE name = 'Kept'`,
    );
    return row!.count;
  }

  it('ends cleanly when the npm that started it gets a SIGTERM while the database is being created (section 6)', async () => {
    const npm = spawn('npm', ['start'], {
      env: onlyWith({ ...settings, PORT: '0' }),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    commands.push(npm);
    let written = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => (written += text));
    const ended = once(npm.stdout, 'close');
    await waitUntil('the database is created', () => written.includes('Creating the database'));
    npm.kill('SIGTERM');
    await ended;
    expect(written).toMatch(/^Stopp/m);
    expect(await postgresIn(dataDir)).toBeUndefined();
  });

  it('ends cleanly when it is stopped with SIGINT after the database was migrated (section 6)', async () => {
    const service = start(settings);
    await waitUntil('it is', () => service.stdout().includes('Brought the database up to date'));
    service.kill('SIGINT');
    expect(await service.ended).toBe(0);
    expect(service.stderr()).toBe('');
    expect(await postgresIn(dataDir)).toBeUndefined();
  });

  it('then starts, although PostgreSQL’s lock file names another program’s process, and only the first line of its output is read (section 6)', async () => {
    const lines = [process.pid, join(dataDir, 'postgres'), 1_700_000_000, 54_321, '\n127.0.0.1\n\nready\n'];
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), lines.join('\n'));
    const service = start(settings);
    await waitUntil('the first line', () => service.stdout().includes('\n'));
    service.stopReading();
    const hasDemonstration = async (): Promise<boolean> => {
      const keys = await sqlIn(dataDir, 'SELECT FROM api_key').catch(() => []);
      return keys.length > 0;
    };
    await Promise.race([service.ended, waitUntil('it has started', hasDemonstration)]);
    await sqlIn(dataDir, `INSERT INTO organisation (name) VALUES ('Kept')`);

    // The following tests find a killed service.
    service.kill('SIGKILL');
    await service.ended;
  });

  describe('after the service was killed', () => {
    let service: ServiceProcess;
    let address: string;
    beforeAll(async () => {
      service = start(settings);
      address = await service.listening();
    });

    it('starts, and has everything that was stored (section 6)', async () => {
      expect(service.stderr()).toBe('');
      expect(await countOrganisations()).toBe(1);
    });

    it('has a PostgreSQL that is reachable only from this machine and with its password (section 6)', async () => {
      const settings = await sqlIn<{ setting: string }>(
        dataDir,
        `SELECT setting FROM pg_settings
          WHERE name IN ('listen_addresses', 'unix_socket_directories', 'password_encryption') ORDER BY name`,
      );
      expect(settings.map(({ setting }) => setting)).toEqual(['127.0.0.1', 'scram-sha-256', '']);
      const { port } = (await postgresIn(dataDir))!;
      for (const database of ['data_import', 'postgres', 'template1']) {
        const stranger = new pg.Client(`postgres://data_import:guessed@127.0.0.1:${port}/${database}`);
        await expect(stranger.connect()).rejects.toMatchObject({ code: '28P01' });
      }
    });

    it('loads a file with the commands of the README (section 6)', async () => {
      const project = folderWith();
      for (const name of ['scripts', 'dist', 'package.json', '.npmrc']) {
        await symlink(resolve(name), join(project, name));
      }
      const { output, failed } = await runBlocks(blocksOf('README.md').slice(1), {
        cwd: project,
        env: onlyWith(settings),
        replaced: { 'http://127.0.0.1:3000': address },
        before: /export DATA_IMPORT_API_KEY=.*/
          .exec(service.stdout())![0]
          .replace('ORGANISATION', '"Demo Energy"'),
      });
      expect(failed).toEqual([]);
      expect(output).toContain(blocksOf('README.md', 'text').join(''));
      expect(output).toContain(`${address}/console/sign-in/`);
      expect(output).toContain('NOTE_CREATION_SUCCESS');
    });

    it('stops PostgreSQL with itself, whoever uses it, even when nobody reads its output (section 6)', async () => {
      const { pid } = (await postgresIn(dataDir))!;
      const blocker = await connectTo(dataDir);
      await blocker.query('SELECT pg_advisory_lock(7300)');
      const command = startCommand(['database', 'migrate'], settings);
      const [end, output] = [once(command, 'exit'), text(command.stderr)];
      await waitUntil('the command waits', async () => {
        const { rows } = await blocker.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
        return rows.length === 1;
      });
      service.stopReading();
      service.kill('SIGHUP');
      service.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      expect(isAlive(pid)).toBe(false);
      expect(await end).toEqual([1, null]);
      expect(await output).toMatch(/\.\n$/);
    });
  });

  it('is not needed by a command, whose PostgreSQL ends with it even when SIGKILL ends it (section 6)', async () => {
    const command = startCommand(['accounts', 'stage', 'DEMO', '-'], settings, 'pipe');
    command.stderr.resume();
    const usage = `SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = 'data_import'`;
    const isUsed = (): Promise<boolean> =>
      sqlIn(dataDir, usage).then(
        (rows) => rows.length > 0,
        () => false,
      );
    await waitUntil('the command uses PostgreSQL', isUsed);
    command.kill('SIGKILL');
    await once(command, 'exit');
    await waitUntil('PostgreSQL has ended', async () => !(await postgresIn(dataDir)));
  });

  it('has closed the folder to others, and leaves no PostgreSQL running (section 6)', async () => {
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    for (const secret of ['token-signing-key', 'database-password']) {
      expect((await stat(join(dataDir, secret))).mode & 0o777).toBe(0o600);
    }
    const files = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.'));
    expect(files.filter((name) => !/^postgres\.(lock|log)/.test(name))).toEqual([]);
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid');
    expect(await postgresIn(dataDir)).toBeUndefined();
  });

  it('does not recreate a missing folder of documents (F3, F4)', async () => {
    await rm(join(dataDir, 'documents'), { recursive: true });
    const variables = { ...settings, DATABASE_URL: '', TOKEN_SIGNING_KEY: '' };
    const noDatabase = { url: '' } as TestDatabase;
    expect(await runCommand(noDatabase, ['organisation', 'list'], '', variables)).toMatchObject({
      exitCode: 0,
    });
    const service = start(settings);
    expect(await service.ended).toBe(1);
    expect(service.stderr()).toMatch(/^The documents' folder .* \(DOCUMENT_STORE\) cannot be read: .*\.\n$/);
    expect(service.stdout()).toBe('');
    expect(await readdir(dataDir)).not.toContain('documents');
  });
});

describe('a start that fails', () => {
  it('because the port is in use reports it before it starts a database (section 6)', async () => {
    await using other = inBlock(await listening(createServer()));
    const { port } = other;
    const service = start({ DATA_DIR: join(home, 'never'), PORT: String(port) });
    expect(await service.ended).toBe(1);
    expect(service.stderr()).toBe(
      `The service cannot listen on 127.0.0.1:${port}: another program listens there already; stop it, or choose another PORT.\n`,
    );
    expect(await readdir(home)).not.toContain('never');
  });

  it('because a setting is wrong names it (section 6)', async () => {
    const service = start({ DATA_DIR: join(home, 'never'), PORT: 'hidden', HSOT: '::1' });
    expect(await service.ended).toBe(1);
    // The log is buffered.
    const [sentence = '', warning = '', ...rest] = service.stderr().trimEnd().split('\n').sort();
    expect(sentence).toMatch(/^PORT must be a whole number from 0 to 65535 .*\.$/);
    const msg = 'The variable HSOT is no setting. Did you mean HOST?';
    expect(JSON.parse(warning)).toMatchObject({ level: 'warn', msg });
    expect(rest).toEqual([]);
    expect(await readdir(home)).not.toContain('never');
  });

  it('because its role lacks a right names it once (section 6)', async () => {
    await using forbidden = inBlock(await createForbiddenDatabase());
    const service = start({
      DATA_DIR: join(home, 'never'),
      DATABASE_URL: forbidden.url,
      TOKEN_SIGNING_KEY: KEY,
    });
    expect(await service.ended).toBe(1);
    expect(service.stderr()).toBe(
      'The role in DATABASE_URL lacks a right: permission denied for schema public.\n',
    );
  });
});
