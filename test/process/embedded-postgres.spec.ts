import { spawnSync } from 'node:child_process';
import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceTimes } from '../../src/start/run-service.js';
import { acquireFolderLock, type FolderLock } from '../../src/database/embedded/folder-lock.js';
import { runCommand, runProcess } from '../support/cli.js';
import type { TestDatabase } from '../support/database.js';
import { obtain } from '../support/graphql.js';
import {
  connectTo,
  isAlive,
  postgresIn,
  spawnService,
  sqlIn,
  type ServiceProcess,
} from '../support/service-process.js';
import { clientOf } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const NOBODY = 65_534;
const LOG_LIMIT_BYTES = 10 * 2 ** 20;
const CANNOT_BE_REACHED =
  /^PostgreSQL in .* cannot be reached: the folder is in use from another container or network namespace; .*\.\n$/;

/** As a container: other processes, network and shared memory; the same files. */
const IN_NAMESPACES = [
  ...['unshare', '-pfn', '--ipc', '--mount-proc', '--kill-child', '--'],
  // Without `ip` nothing listens there either, and connections fail for another reason.
  ...['sh', '-c', 'ip link set lo up; exec "$@"', 'sh'],
];
const hasNamespaces = spawnSync('unshare', [...IN_NAMESPACES.slice(1), 'true']).status === 0;

/** Whether the user `nobody` can run PostgreSQL's programs, which lie in this project. */
const isNobodyPossible =
  process.getuid?.() === 0 &&
  spawnSync('test', ['-r', join(process.cwd(), 'package.json')], { uid: NOBODY, gid: NOBODY }).status === 0;

let home: string;
const started: ServiceProcess[] = [];

function start(settings: Record<string, string>, times?: ServiceTimes, way?: string[]): ServiceProcess {
  const service = spawnService(settings, times, way);
  started.push(service);
  return service;
}

async function stop(service: ServiceProcess): Promise<void> {
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(service.stderr()).toBe('');
}

/** For commands that work on a DATA_DIR. */
const NO_DATABASE = { url: '' } as TestDatabase;

async function stage(dataDir: string, text: string): Promise<void> {
  const settings = { DATABASE_URL: '', TOKEN_SIGNING_KEY: '', DATA_DIR: dataDir };
  const end = await runCommand(NO_DATABASE, ['accounts', 'stage', 'DEMO', '-'], text, settings);
  expect(end).toMatchObject({ exitCode: 0 });
}

/** A failed token call is counted in the database. */
async function isHealthy(address: string): Promise<boolean> {
  const { body } = await obtain(clientOf(address), { apiKey: 'wrong' });
  return /^(AUTHENTICATION_FAILED|THROTTLED)$/.test(String(body.errors![0]!.extensions.code));
}

async function isLocked(dataDir: string): Promise<boolean> {
  const lock = await acquireFolderLock(dataDir);
  await lock?.release();
  return lock === undefined;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'data-import-embedded-'));
  await chmod(home, 0o711);
});
afterAll(async () => {
  for (const service of started) {
    service.kill('SIGKILL');
    await service.ended;
  }
  for (const name of ['data', 'nobody']) {
    const postgres = await postgresIn(join(home, name));
    if (!postgres) continue;
    process.kill(postgres.pid, 'SIGQUIT');
    await waitUntil('PostgreSQL has ended', () => !isAlive(postgres.pid));
  }
  await rm(home, { recursive: true, force: true });
});

/** The tests build on each other: together they are the life of one DATA_DIR. */
describe('the PostgreSQL of a DATA_DIR', () => {
  let dataDir: string;
  let settings: Record<string, string>;
  let configuration: string;
  beforeAll(() => {
    dataDir = join(home, 'data');
    settings = { DATA_DIR: dataDir };
    configuration = join(dataDir, 'postgres', 'postgresql.conf');
  });

  describe('while a service uses it', () => {
    let service: ServiceProcess;
    let address: string;
    beforeAll(async () => {
      service = start(settings, { postgres: { logCheckMs: 50 } });
      address = await service.listening();
    });

    it('is not started a second time from other namespaces (section 6)', async () => {
      const before = await postgresIn(dataDir);
      // Where namespaces are forbidden, a folder that this process has locked stands for one of another container.
      const other = join(home, 'other');
      let lock: FolderLock | undefined;
      if (!hasNamespaces) {
        await mkdir(other);
        lock = await acquireFolderLock(other);
      }
      const second = start(
        { DATA_DIR: hasNamespaces ? dataDir : other },
        { postgres: { answerMs: 500 } },
        hasNamespaces ? IN_NAMESPACES : [],
      );
      expect(await second.ended).toBe(1);
      expect(second.stderr()).toMatch(CANNOT_BE_REACHED);
      expect(second.stdout()).toBe('');
      await lock?.release();
      expect(await postgresIn(dataDir)).toEqual(before);
      expect(await isHealthy(address)).toBe(true);
      expect(await sqlIn(dataDir, `SELECT FROM import_supplier WHERE code = 'DEMO'`)).toHaveLength(1);
    });

    it('has a log without the numbers of accounts, and without errors that are expected (engineering rule)', async () => {
      for (const name of ['first', 'second']) {
        await stage(dataDir, `{"external_account_number": "SECRET-1", "account": {"name": "${name}"}}\n`);
      }
      const byHand = sqlIn(dataDir, `INSERT INTO account_import SELECT * FROM account_import`);
      await expect(byHand).rejects.toMatchObject({ code: '23505' });
      const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
      expect(log).toContain('database system is ready to accept connections');
      expect(log.match(/ERROR: .*/g)).toEqual([expect.stringMatching(/duplicate key value violates/)]);
      expect(log).not.toMatch(/SECRET|DETAIL|STATEMENT|CONTEXT/);
    });

    it('has a log that does not grow beyond 10 MiB (engineering rule)', async () => {
      const log = join(dataDir, 'postgres.log');
      await appendFile(log, `${'x'.repeat(LOG_LIMIT_BYTES)}\n`);
      await waitUntil('the log is emptied', async () => (await stat(log)).size < LOG_LIMIT_BYTES);
      expect((await stat(`${log}.1`)).size).toBeGreaterThan(LOG_LIMIT_BYTES);
      await expect(sqlIn(dataDir, 'SELECT by_hand')).rejects.toMatchObject({ code: '42703' });
      // The end of the text above may be written after the rest of it has been removed.
      expect(await readFile(log, 'utf8')).toMatch(
        /^x*\n?[^\0\n]* column "by_hand" does not exist at character 8\n$/,
      );
    });

    it('keeps the folder locked when the service is killed, until its own last process has ended (section 6)', async () => {
      service.kill('SIGKILL');
      await service.ended;
      const isLinux = process.platform === 'linux';
      expect(await isLocked(dataDir)).toBe(isLinux);
      const client = await connectTo(dataDir);
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const { pid } = rows[0]!;
      // A process that is busy does not notice that the server was killed.
      process.kill(pid, 'SIGSTOP');
      process.kill((await postgresIn(dataDir))!.pid, 'SIGKILL');
      await waitUntil('the server is gone', async () => (await postgresIn(dataDir)) === undefined);
      expect(await isLocked(dataDir)).toBe(isLinux);
      process.kill(pid, 'SIGKILL');
      await waitUntil('the folder is free', async () => !(await isLocked(dataDir)));
    });
  });

  describe('when it has ended and cannot be started', () => {
    const breakIt = async (): Promise<void> => {
      await appendFile(configuration, 'no_such_setting = on\n');
      process.kill((await postgresIn(dataDir))!.pid, 'SIGKILL');
    };
    const repair = async (): Promise<void> => {
      const text = await readFile(configuration, 'utf8');
      await writeFile(configuration, text.replace('no_such_setting = on\n', ''));
    };

    const failures = (service: ServiceProcess): number =>
      service.stdout().match(/^PostgreSQL could not be started in .*\.$/gm)?.length ?? 0;
    const expectGivenUp = async (service: ServiceProcess): Promise<void> => {
      expect(await service.ended).toBe(1);
      expect(service.stderr().trim().split('\n').at(-1)).toMatch(
        /^PostgreSQL ended and could not be started again\. PostgreSQL could not be started in .*\.$/,
      );
    };

    it('is started again, with a sentence for each failure, until that succeeds; what lasts too long ends the service (section 6)', async () => {
      // Long enough for the first two tries and the repair between them on a busy machine.
      const times = { postgres: { restartDelayMs: 20, giveUpMs: 8_000 } };
      const service = start(settings, times);
      const address = await service.listening();
      await breakIt();
      await waitUntil('it is tried again', () => failures(service) >= 2);
      await waitUntil('the service reports it', async () => !(await isHealthy(address)));
      await repair();
      await waitUntil('the service answers again', () => isHealthy(address));
      await breakIt();
      await expectGivenUp(service);
      await repair();
    });
  });

  describe('while it recovers for long', () => {
    const times = { postgres: { answerMs: 300, reportMs: 100 } };
    const NOT_READY =
      /^PostgreSQL in .* is not ready yet \(the database system is starting up\); waiting for it …$/m;
    let wait: string;
    beforeAll(async () => {
      wait = join(dataDir, 'wait');
      await writeFile(wait, '');
      await writeFile(join(dataDir, 'postgres', 'recovery.signal'), '');
      const command = `while test -e "${wait}"; do sleep 0.05; done; false`;
      await appendFile(configuration, `restore_command = '${command}'\n`);
    });

    it('is stopped with the service (section 6)', async () => {
      const service = start(settings, times);
      await waitUntil('the wait is reported', () => NOT_READY.test(service.stdout()));
      await stop(service);
      expect(service.stdout()).toContain('Stopped before the start was complete.');
      expect(await postgresIn(dataDir)).toBeUndefined();
    });

    it('is waited for, longer than for one that does not answer, and serves then (section 6)', async () => {
      const service = start(settings, times);
      const reports = (): number => service.stdout().match(new RegExp(NOT_READY, 'gm'))?.length ?? 0;
      await waitUntil('the wait is reported several times', () => reports() > 5);
      await rm(wait);
      await service.listening();
      expect(await sqlIn(dataDir, `SELECT FROM import_supplier WHERE code = 'DEMO'`)).toHaveLength(1);
      await stop(service);
    });
  });
});

describe('a DATA_DIR of root where user namespaces are forbidden', () => {
  it('stays root’s with its secrets, whoever created it: PostgreSQL, as nobody, owns its files and its log only (section 6)', async () => {
    const stub = join(home, 'unshare');
    await writeFile(stub, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const dataDir = join(home, 'nobody');
    const settings = { DATA_DIR: dataDir, ...(isNobodyPossible && { PATH: `${home}:${process.env.PATH}` }) };
    const [mode, postgresUser] = isNobodyPossible ? [0o710, NOBODY] : [0o700, process.getuid?.() ?? 0];
    const own = process.getuid?.() ?? 0;
    const expectOwners = async (files: readonly string[], owner: number): Promise<void> => {
      for (const name of files) {
        expect([name, (await stat(join(dataDir, name))).uid]).toEqual([name, owner]);
      }
    };
    const expectRights = async (): Promise<void> => {
      expect((await stat(dataDir)).mode & 0o777).toBe(mode);
      await expectOwners(['.', 'token-signing-key', 'database-password', 'documents', 'postgres.lock'], own);
      await expectOwners(['postgres', 'postgres/PG_VERSION', 'postgres.log'], postgresUser);
    };
    const none = { DATABASE_URL: '', TOKEN_SIGNING_KEY: '' };
    const command = await runProcess(NO_DATABASE, ['organisation', 'list'], '', { ...settings, ...none });
    expect(command).toMatchObject({ exitCode: 0 });
    await expectRights();
    // The service finds the files of the command. PostgreSQL runs before the application is loaded.
    const service = start(settings);
    await waitUntil('PostgreSQL runs', async () => (await postgresIn(dataDir)) !== undefined);
    await expectRights();
    await expectOwners(['postgres/postmaster.pid'], postgresUser);
    await stop(service);
  });
});
