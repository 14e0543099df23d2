import { execFile, spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import pg from 'pg';
import { sharedBuffersFor } from '../../src/database/embedded/server-settings.js';
import { MIGRATIONS } from '../../src/database/migrations/index.js';
import { createDatabase, createEmptyDatabase, createForbiddenDatabase } from '../support/database.js';
import {
  connectTo,
  isAlive,
  onlyWith,
  postgresIn,
  spawnService,
  sqlIn,
  type ServiceProcess,
} from '../support/service-process.js';
import { waitUntil } from '../support/wait-until.js';

const KEY = 'a signing key that only the tests know';

/** A folder that is reachable for its owner only, as a home folder of root is. */
let home: string;
/** A DATA_DIR that a service has created and left. */
let used: string;
let copies = 0;
const started: ServiceProcess[] = [];
const commands: ChildProcess[] = [];

function start(settings: Record<string, string>): ServiceProcess {
  const service = spawnService(settings);
  started.push(service);
  return service;
}

/** A DATA_DIR with a database in it. */
async function usedFolder(): Promise<string> {
  copies += 1;
  const folder = join(home, `copy-${copies}`);
  await cp(used, folder, { recursive: true });
  return folder;
}

async function countOrganisations(dataDir: string): Promise<number> {
  const [row] = await sqlIn<{ count: number }>(
    dataDir,
    `SELECT count(*)::int FROM organisation WHERE name = 'Kept'`,
  );
  return row!.count;
}

/** Start an operator command, as {@link command} does. It ends with the test at the latest. */
function startCommand(
  args: string[],
  settings: Record<string, string>,
): ChildProcessByStdio<null, null, Readable> {
  const child = spawn(process.execPath, ['scripts/cli.mjs', ...args], {
    env: onlyWith(settings),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  commands.push(child);
  return child;
}

/** Run an operator command to its end, without an address of a database. */
async function command(args: string[], settings: Record<string, string>): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/cli.mjs', ...args], {
    env: onlyWith(settings),
  });
}

/** Whether another PostgreSQL runs there than the one that was killed. */
async function isBack(dataDir: string, killedPid: number): Promise<boolean> {
  const now = await postgresIn(dataDir);
  return now !== undefined && now.pid !== killedPid;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'data-import-start-'));
  used = join(home, 'first');
  const first = start({ DATA_DIR: used });
  await first.listening();
  await sqlIn(used, `INSERT INTO organisation (name) VALUES ('Kept')`);
  first.kill('SIGTERM');
  await first.ended;
});

afterEach(async () => {
  for (const child of commands.splice(0)) child.kill('SIGKILL');
  for (const service of started.splice(0)) {
    service.kill('SIGKILL');
    await service.ended;
  }
  for (const name of await readdir(home)) {
    const postgres = await postgresIn(join(home, name));
    if (!postgres) continue;
    process.kill(postgres.pid, 'SIGQUIT');
    await waitUntil('PostgreSQL has ended', () => !isAlive(postgres.pid));
  }
});
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

describe('npm start with a PostgreSQL of its own', () => {
  it('keeps the folder closed to others, and PostgreSQL stopped after itself (6)', async () => {
    expect((await stat(used)).mode & 0o777).toBe(0o700);
    for (const secret of ['token-signing-key', 'database-password']) {
      expect((await stat(join(used, secret))).mode & 0o777).toBe(0o600);
    }
    // The password is handed to PostgreSQL's program in a file of its own, which does not stay.
    expect((await readdir(used)).filter((name) => name.startsWith('postgres.'))).toEqual(['postgres.log']);
    expect(await readdir(join(used, 'postgres'))).not.toContain('postmaster.pid');
    expect(await postgresIn(used)).toBeUndefined();
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'finds its data again, and ends in order on %s, sent twice or not (6)',
    async (signal) => {
      const dataDir = await usedFolder();
      const service = start({ DATA_DIR: dataDir });
      await service.listening();
      expect(await countOrganisations(dataDir)).toBe(1);
      const { pid } = (await postgresIn(dataDir))!;
      service.kill(signal);
      service.kill(signal);
      expect(await service.ended).toBe(0);
      expect(isAlive(pid)).toBe(false);
      expect(service.stderr()).toBe('');
    },
  );

  it('ends in order when npm, which started it, is told to end (6)', async () => {
    const dataDir = await usedFolder();
    const npm = spawn('npm', ['start'], {
      env: onlyWith({ DATA_DIR: dataDir, PORT: '0' }),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    commands.push(npm);
    const said = text(npm.stdout);
    await waitUntil('PostgreSQL runs', async () => (await postgresIn(dataDir)) !== undefined);
    npm.kill('SIGTERM');
    expect(await said).toMatch(/^Stopp/m);
    expect(await postgresIn(dataDir)).toBeUndefined();
  });

  it('has a PostgreSQL that only this machine reaches, and only with its password (6)', async () => {
    const dataDir = await usedFolder();
    await start({ DATA_DIR: dataDir }).listening();
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

  it('has a PostgreSQL that keeps a quarter of the memory for its pages (house rule)', async () => {
    const dataDir = await usedFolder();
    await start({ DATA_DIR: dataDir }).listening();
    const wanted = sharedBuffersFor(Math.min(totalmem(), process.constrainedMemory() || Infinity));
    const [row] = await sqlIn<{ megabytes: string }>(
      dataDir,
      `SELECT pg_size_bytes(current_setting('shared_buffers')) / 1048576 || 'MB' AS megabytes`,
    );
    expect(row!.megabytes).toBe(wanted);
  });

  it('recovers when it and PostgreSQL were killed (6)', async () => {
    const dataDir = await usedFolder();
    const service = start({ DATA_DIR: dataDir });
    await service.listening();
    service.kill('SIGKILL');
    process.kill((await postgresIn(dataDir))!.pid, 'SIGKILL');
    await service.ended;
    const next = start({ DATA_DIR: dataDir });
    await next.listening();
    expect(await countOrganisations(dataDir)).toBe(1);
    next.kill('SIGTERM');
    expect(await next.ended).toBe(0);
  });

  it('takes over the PostgreSQL of a service that was killed (6)', async () => {
    const dataDir = await usedFolder();
    const service = start({ DATA_DIR: dataDir });
    await service.listening();
    const before = (await postgresIn(dataDir))!;
    service.kill('SIGKILL');
    await service.ended;
    const next = start({ DATA_DIR: dataDir });
    await next.listening();
    expect(await postgresIn(dataDir)).toEqual(before);
    next.kill('SIGTERM');
    expect(await next.ended).toBe(0);
    expect(isAlive(before.pid)).toBe(false);
  });

  it('brings PostgreSQL back when it ends under a running service (6)', async () => {
    const dataDir = await usedFolder();
    const service = start({ DATA_DIR: dataDir });
    await service.listening();
    const before = (await postgresIn(dataDir))!;
    process.kill(before.pid, 'SIGKILL');
    await waitUntil('PostgreSQL is back', () => isBack(dataDir, before.pid));
    expect((await postgresIn(dataDir))!.port).toBe(before.port);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(await postgresIn(dataDir)).toBeUndefined();
  });

  it('starts when nobody reads more than the first line of what it says (6)', async () => {
    const dataDir = join(home, 'first line only');
    const service = start({ DATA_DIR: dataDir });
    await waitUntil('the first line', () => service.stdout().includes('\n'));
    service.stopReading();
    const hasDemonstration = async (): Promise<boolean> => {
      const keys = await sqlIn(dataDir, 'SELECT FROM api_key').catch(() => []);
      return keys.length > 0;
    };
    await Promise.race([service.ended, waitUntil('it has started', hasDemonstration)]);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it('brings PostgreSQL back also when nobody reads what it says any more (6)', async () => {
    const dataDir = await usedFolder();
    const service = start({ DATA_DIR: dataDir });
    const address = await service.listening();
    service.stopReading();
    const { pid } = (await postgresIn(dataDir))!;
    process.kill(pid, 'SIGKILL');
    await Promise.race([service.ended, waitUntil('PostgreSQL is back', () => isBack(dataDir, pid))]);
    expect((await fetch(address)).status).toBe(404);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it('leaves a folder alone that another service uses (6)', async () => {
    const dataDir = await usedFolder();
    const service = start({ DATA_DIR: dataDir });
    const address = await service.listening();
    const second = start({ DATA_DIR: dataDir });
    expect(await second.ended).toBe(1);
    expect(second.stderr()).toMatch(/^The folder .* is in use by another running instance .*\.\n$/);
    expect((await fetch(address)).status).toBe(404);
    expect(await countOrganisations(dataDir)).toBe(1);
  });

  it('says that its port is taken, before it starts a database (6)', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const dataDir = join(home, 'never');
    const service = start({ DATA_DIR: dataDir, PORT: String(port) });
    expect(await service.ended).toBe(1);
    other.close();
    expect(service.stderr()).toBe(
      `The service cannot listen on 127.0.0.1:${port}: another program listens there already; stop it, or choose another PORT.\n`,
    );
    expect(await readdir(home)).not.toContain('never');
  });

  it('is not misled by the process id of a stranger (6)', async () => {
    const dataDir = await usedFolder();
    const lines = [
      process.pid,
      join(dataDir, 'postgres'),
      1_700_000_000,
      54_321,
      '',
      '127.0.0.1',
      '',
      'ready',
    ];
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`);
    const service = start({ DATA_DIR: dataDir });
    await service.listening();
    expect(await countOrganisations(dataDir)).toBe(1);
  });

  it.each(['Creating the database', 'Starting PostgreSQL', 'Brought the database up to date'])(
    'ends in order when it is stopped at "%s", and starts the next time (6)',
    async (step) => {
      const dataDir = join(home, `stopped at ${step}`);
      const service = start({ DATA_DIR: dataDir });
      await waitUntil(step, () => service.stdout().includes(step));
      service.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      expect(service.stderr()).toBe('');
      expect(await postgresIn(dataDir)).toBeUndefined();
      const next = start({ DATA_DIR: dataDir });
      await next.listening();
    },
  );

  it('goes on when the demonstration fails, and tries again the next time (6)', async () => {
    const dataDir = await usedFolder();
    const first = start({ DATA_DIR: dataDir });
    await first.listening();
    await sqlIn(
      dataDir,
      `TRUNCATE organisation, import_supplier CASCADE;
       CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON import_supplier EXECUTE FUNCTION refuse()`,
    );
    first.kill('SIGTERM');
    await first.ended;

    const second = start({ DATA_DIR: dataDir });
    await second.listening();
    expect(second.stdout()).not.toContain('obtainServiceToken');
    await sqlIn(dataDir, 'DROP TRIGGER refuse ON import_supplier');
    second.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(second.stderr()).toMatch(/^{[^\n]*"level":"warn"[^\n]*not now[^\n]*\n$/);

    const third = start({ DATA_DIR: dataDir });
    await third.listening();
    expect(third.stdout()).toContain('obtainServiceToken');
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)(
    'is stopped by the last command when %s ends that in the middle, sent twice or not (6)',
    async (signal, exitCode) => {
      const dataDir = await usedFolder();
      const service = start({ DATA_DIR: dataDir });
      await service.listening();
      const stranger = await connectTo(dataDir);
      await stranger.query('SELECT pg_advisory_lock(7300)');
      const waiting = startCommand(['database', 'migrate'], { DATA_DIR: dataDir });
      const told = text(waiting.stderr);
      await waitUntil('the command waits', async () => {
        const { rows } = await stranger.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
        return rows.length > 0;
      });
      service.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      const { pid } = (await postgresIn(dataDir))!;
      waiting.kill(signal);
      waiting.stderr.once('data', () => waiting.kill(signal));
      expect(await once(waiting, 'exit')).toEqual([exitCode, null]);
      expect(await told).toBe(`The command was interrupted (${signal}) before it was done.\n`);
      expect(isAlive(pid)).toBe(false);
    },
  );

  it('makes the folder of the documents with the database, whoever makes that (F4)', async () => {
    const dataDir = join(home, 'made by a command');
    await command(['organisation', 'list'], { DATA_DIR: dataDir });
    expect(await readdir(dataDir)).toContain('documents');
    const service = start({ DATA_DIR: dataDir });
    await service.listening();
  });

  it('makes no other in the place of a folder of documents that is gone (F3, F4)', async () => {
    const dataDir = await usedFolder();
    await rm(join(dataDir, 'documents'), { recursive: true });
    await command(['organisation', 'list'], { DATA_DIR: dataDir });
    const service = start({ DATA_DIR: dataDir });
    expect(await service.ended).toBe(1);
    expect(service.stderr()).toMatch(/^The documents' folder .* \(DOCUMENT_STORE\) cannot be read: .*\.\n$/);
    expect(service.stdout()).toBe('');
    expect(await readdir(dataDir)).not.toContain('documents');
  });

  it.each(['database-password', 'token-signing-key'])(
    'says in a sentence that %s is damaged, before it starts a database (6)',
    async (name) => {
      const dataDir = await usedFolder();
      await writeFile(join(dataDir, name), '');
      const service = start({ DATA_DIR: dataDir });
      expect(await service.ended).toBe(1);
      expect(service.stderr()).toBe(
        `The file ${join(dataDir, name)} must hold 64 hexadecimal characters and does not: put it back from the backup, or remove it to have a new one made.\n`,
      );
      expect(service.stdout()).toBe('');
      expect(await postgresIn(dataDir)).toBeUndefined();
    },
  );

  it('says so when the folder cannot be used (6)', async () => {
    await writeFile(join(home, 'a file'), '');
    const service = start({ DATA_DIR: join(home, 'a file') });
    expect(await service.ended).toBe(1);
    expect(service.stderr()).toMatch(/^DATA_DIR .*a file cannot be used: .*\.\n$/);
  });

  it('has nothing to do with variables that are meant for other servers (6)', async () => {
    const dataDir = join(home, 'among others');
    const service = start({
      DATA_DIR: dataDir,
      PGSSLMODE: 'require',
      PGSSLNEGOTIATION: 'direct',
      PGDATA: join(home, 'theirs'),
      PGHOST: 'elsewhere.example',
      PGPORT: '1',
    });
    await service.listening();
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(service.stderr()).toBe('');
    expect(await postgresIn(dataDir)).toBeUndefined();
  });

  it('works with a name full of odd characters (6)', async () => {
    const dataDir = join(home, `it's a "folder" with ümläuts $HOME`);
    await mkdir(dataDir);
    const service = start({ DATA_DIR: dataDir });
    await service.listening();
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });
});

describe('npm start with a database of somebody else’s', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    [
      'nobody answers at DATABASE_URL',
      { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/nothing', TOKEN_SIGNING_KEY: KEY },
      /^The database nothing at 127\.0\.0\.1:1 \(DATABASE_URL\) cannot be used: .*ECONNREFUSED.*\.\n$/,
    ],
    [
      'there is no TOKEN_SIGNING_KEY',
      { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/nothing' },
      /^TOKEN_SIGNING_KEY must be set .*\n$/,
    ],
    [
      'the folder of the documents is not there',
      { DOCUMENT_STORE: 'file:///not/mounted' },
      /^The documents' folder \/not\/mounted \(DOCUMENT_STORE\) cannot be read: ENOENT.*\.\n$/,
    ],
    ['a setting is wrong', { PORT: 'hidden' }, /^PORT must be a whole number from 0 to 65535 .*\.\n$/],
  ])('says in a sentence that %s (6)', async (_what, settings, sentence) => {
    const service = start({ DATA_DIR: join(home, 'never'), ...settings });
    expect(await service.ended).toBe(1);
    expect(service.stderr()).toMatch(sentence);
    expect(service.stderr()).not.toContain(':hidden@');
    expect(await readdir(home)).not.toContain('never');
  });

  it('says in a sentence that the bucket of the documents has no region (6)', async () => {
    const database = await createDatabase();
    try {
      const service = start({
        DATA_DIR: join(home, 'never'),
        DATABASE_URL: database.url,
        TOKEN_SIGNING_KEY: KEY,
        DOCUMENT_STORE: 's3://bucket',
        AWS_CONFIG_FILE: '/dev/null',
      });
      expect(await service.ended).toBe(1);
      expect(service.stderr()).toMatch(/^DOCUMENT_STORE names no region .*\.\n$/);
      expect(await readdir(home)).not.toContain('never');
    } finally {
      await database.drop();
    }
  });

  it('says in a sentence which right its role lacks, and says it once (6)', async () => {
    const forbidden = await createForbiddenDatabase();
    try {
      const service = start({
        DATA_DIR: join(home, 'never'),
        DATABASE_URL: forbidden.url,
        TOKEN_SIGNING_KEY: KEY,
      });
      expect(await service.ended).toBe(1);
      expect(service.stderr()).toBe(
        'The role in DATABASE_URL lacks a right: permission denied for schema public.\n',
      );
    } finally {
      await forbidden.drop();
    }
  });

  it('creates nothing of its own there but the schema (6)', async () => {
    const empty = await createEmptyDatabase();
    try {
      const dataDir = join(home, 'schema only');
      const service = start({ DATABASE_URL: empty.url, TOKEN_SIGNING_KEY: KEY, DATA_DIR: dataDir });
      await service.listening();
      expect(service.stdout()).not.toContain('PostgreSQL');
      service.kill('SIGTERM');
      expect(await service.ended).toBe(0);
      expect(await readdir(home)).not.toContain('schema only');
      const applied = await empty.sql<{ name: string }>('SELECT name FROM migration ORDER BY id');
      expect(applied.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
      for (const table of ['organisation', 'api_key', 'import_supplier', 'account_import']) {
        expect(await empty.sql(`SELECT '${table}' AS not_empty FROM ${table}`)).toEqual([]);
      }
    } finally {
      await empty.drop();
    }
  });
});
