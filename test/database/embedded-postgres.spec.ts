import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { StartError } from '../../src/config/env.js';
import {
  joinEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '../../src/database/embedded/embedded-postgres.js';
import { isAlive, postgresIn } from '../support/service-process.js';
import { waitUntil } from '../support/wait-until.js';

/** The tests build on each other: creating the files takes seconds. */
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

  /** Each open file has a lock of its own, so users in this process are to each other like those of several. */
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

  it('has its name on the disk before it is used: a power failure leaves all of it or nothing (section 6)', async () => {
    // What was left by a creation that was interrupted.
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

  it('is used by the commands beside a service, and stops with the service, which is the only one (section 6)', async () => {
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
    'is started by a command where no service runs, and a %s that comes meanwhile waits for its end and says so (section 6)',
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

  it('ends the wait for it when that is given up (section 6)', async () => {
    const command = await joinAs('command');
    const giveUp = new AbortController();
    const say = (): void => {
      giveUp.abort();
    };
    await expect(joinAs('command', { sayAfterMs: 0, say, signal: giveUp.signal })).rejects.toThrow('aborted');
    await command.release();
  });

  it('says why it has ended when it ends by itself, or somebody kills the shell that watches it (section 6)', async () => {
    const parentOf = async (pid: number): Promise<number> =>
      Number(/\) \S (\d+) /.exec(await readFile(`/proc/${pid}/stat`, 'utf8'))?.[1]);
    const cases = [
      ['it was killed (signal 9)', (pid: number) => pid],
      ['database system is shut down', parentOf],
    ] as const;
    for (const [reason, victim] of cases) {
      const service = await joinAs('service');
      const { pid } = (await postgresIn(dataDir))!;
      process.kill(await victim(pid), 'SIGKILL');
      const { message } = (await service.ended)!;
      expect(message).toBe(
        `PostgreSQL in ${dataDir} has ended: ${reason}. Its log is ${dataDir}/postgres.log.`,
      );
      expect(isAlive(pid)).toBe(false);
    }
  });

  it('is not started with a setting that it does not know, with a sentence that names it (section 6)', async () => {
    const starting = joinAs('command', { serverSettings: ['no_such_setting=on'] });
    await expect(starting).rejects.toThrow(/has ended: .*no_such_setting.*\. Its log is /);
    await (await joinAs('command')).release();
  });
});
