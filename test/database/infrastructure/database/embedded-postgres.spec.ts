import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  open,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readEnvironment, StartError } from '../../../../src/infrastructure/config/env.js';
import {
  joinEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '../../../../src/infrastructure/database/embedded/embedded-postgres.js';
import { openDatabase } from '../../../../src/infrastructure/database/open-database.js';
import { env } from '../../../support/outside.js';
import { postgresIn } from '../../../support/service-process.js';
import { waitUntil } from '../../../support/wait-until.js';

/** The tests build on each other, because creating the files takes seconds. */
describe('the embedded PostgreSQL of a DATA_DIR', () => {
  let dataDir: string;
  const joined: EmbeddedPostgres[] = [];
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'data-import-test-embedded-'));
  });
  afterEach(async () => {
    for (const one of joined.splice(0)) await one.release();
  });
  afterAll(async () => {
    await rm(dataDir, { recursive: true });
  });

  /** Locks belong to open files, so users in this process behave like those in several processes. */
  async function joinAs(
    role: 'service' | 'command',
    options: Partial<EmbeddedPostgresOptions> = {},
  ): Promise<EmbeddedPostgres> {
    const one = await joinEmbeddedPostgres({ dataDir, role, say: () => undefined, ...options });
    joined.push(one);
    return one;
  }

  async function answers({ url }: EmbeddedPostgres): Promise<boolean> {
    const client = new pg.Client(url);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT 1');
      return true;
    } catch {
      return false;
    } finally {
      await client.end();
    }
  }

  it('has its name on disk before it is used, so that a power failure leaves all of it or nothing (section 6)', async () => {
    // Left over from an interrupted creation.
    await mkdir(join(dataDir, 'postgres.new'));
    await writeFile(join(dataDir, 'postgres.new', 'PG_VERSION'), '18\n');
    const folder = await open(dataDir);
    const handles = Object.getPrototypeOf(folder) as FileHandle;
    const { ino } = await folder.stat();
    await folder.close();
    const sync = Reflect.get(handles, 'sync');
    const seen: string[] = [];
    handles.sync = async function (this: FileHandle) {
      if ((await this.stat()).ino === ino && existsSync(join(dataDir, 'postgres'))) {
        seen.push(existsSync(join(dataDir, 'postgres', 'postmaster.pid')) ? 'running' : 'created');
      }
      await sync.call(this);
    };
    try {
      await (await joinAs('service')).release();
    } finally {
      handles.sync = sync;
    }
    expect(seen).toEqual(['created']);
    expect(existsSync(join(dataDir, 'postgres.new'))).toBe(false);
  });

  it('is shared by commands and a service, and stops with the service, which must be the only one (section 6)', async () => {
    const service = await joinAs('service');
    const command = await joinAs('command');
    expect(command.url).toBe(service.url);
    await command.release();
    expect(await answers(service)).toBe(true);
    const another = new StartError(
      `The folder ${dataDir} is in use by another running instance of the service; stop that one, or give this one a DATA_DIR of its own.`,
    );
    await expect(joinAs('service')).rejects.toEqual(another);
    await service.release();
    expect(await answers(command)).toBe(false);
    expect(await postgresIn(dataDir)).toBeUndefined();
  });

  it.each(['service', 'command'] as const)(
    'is started by a command if no service runs, and a %s that starts meanwhile waits for its end and says so (section 6)',
    async (role) => {
      const command = await joinAs('command');
      const said: string[] = [];
      const waiting = joinAs(role, { sayAfterMs: 0, say: (sentence) => said.push(sentence) });
      await waitUntil('the wait is told', () => said.length > 0);
      expect(await answers(command)).toBe(true);
      await command.release();
      const next = await waiting;
      expect(await answers(next)).toBe(true);
      expect(said.slice(0, 2)).toEqual([
        `Waiting for the end of a command that uses the database in ${dataDir} …`,
        'Starting PostgreSQL …',
      ]);
      await next.release();
    },
  );

  it('is no longer waited for when the wait is aborted (section 6)', async () => {
    const command = await joinAs('command');
    const giveUp = new AbortController();
    const say = (): void => {
      giveUp.abort();
    };
    await expect(joinAs('command', { sayAfterMs: 0, say, signal: giveUp.signal })).rejects.toThrow('aborted');
    await command.release();
  });

  it('is not started with an unknown setting, and a sentence names it (section 6)', async () => {
    const starting = joinAs('command', { serverSettings: ['no_such_setting=on'] });
    await expect(starting).rejects.toThrow(/has ended: .*no_such_setting.*\. Its log is /);
    await (await joinAs('command')).release();
  });

  it('is waited for during recovery, which is reported once (section 6)', async () => {
    const [cluster, wait] = [join(dataDir, 'postgres'), join(dataDir, 'wait')];
    await writeFile(wait, '');
    await writeFile(join(cluster, 'recovery.signal'), '');
    const command = `while test -e "${wait}"; do sleep 0.05; done; false`;
    await appendFile(join(cluster, 'postgresql.conf'), `restore_command = '${command}'\n`);
    const said: string[] = [];
    const starting = joinAs('service', { sayAfterMs: 0, say: (sentence) => said.push(sentence) });
    await waitUntil('the wait is told', () => said.length > 1);
    await rm(wait);
    expect(await answers(await starting)).toBe(true);
    expect(said).toEqual(['Starting PostgreSQL …', `Waiting for the recovery of PostgreSQL in ${dataDir} …`]);
  });
});

const NOBODY = 65_534;

/** Whether the user `nobody` can run PostgreSQL's programs, which lie in this project. */
const isNobodyPossible =
  process.getuid?.() === 0 &&
  spawnSync('test', ['-r', join(process.cwd(), 'package.json')], { uid: NOBODY, gid: NOBODY }).status === 0;

describe('a DATA_DIR of root where user namespaces are forbidden', () => {
  let home: string;
  const path = env.PATH;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'data-import-test-nobody-'));
    await chmod(home, 0o711);
  });
  afterEach(async () => {
    env.PATH = path;
    await rm(home, { recursive: true });
  });

  it('stays root’s with its secrets, whoever created it: PostgreSQL, running as nobody, owns only its own files (section 6)', async () => {
    await writeFile(join(home, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const dataDir = join(home, 'data');
    const own = process.getuid?.() ?? 0;
    const expectRights = async (expectedMode: number, postgresUser: number): Promise<void> => {
      const database = await openDatabase(readEnvironment({ DATA_DIR: dataDir }), {
        role: 'command',
        say: () => undefined,
      });
      const owners = await Promise.all(
        [...OURS, ...OF_POSTGRES].map(async (name) => [name, (await stat(join(dataDir, name))).uid]),
      );
      await database.close();
      expect((await stat(dataDir)).mode & 0o777).toBe(expectedMode);
      expect(owners).toEqual([
        ...OURS.map((name) => [name, own]),
        ...OF_POSTGRES.map((name) => [name, postgresUser]),
      ]);
    };
    if (isNobodyPossible) {
      env.PATH = `${home}:${path}`;
      // The second start finds the files of the first.
      for (let round = 0; round < 2; round += 1) await expectRights(0o710, NOBODY);
      env.PATH = path;
    }
    // Where namespaces become possible, root owns the files again.
    await expectRights(isNobodyPossible ? 0o710 : 0o700, own);
  });

  const OURS = ['.', 'token-signing-key', 'database-password', 'documents', 'postgres.lock', 'postgres.log'];
  const OF_POSTGRES = ['postgres', 'postgres/PG_VERSION', 'postgres/postmaster.pid'];
});
