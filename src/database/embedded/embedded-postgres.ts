import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { BackgroundJob } from '../../common/background-job.js';
import { StartError } from '../../config/env.js';
import { systemReason } from '../../config/system-reason.js';
import { lockFolder, lockPath } from './folder-lock.js';
import { PostgresServer, type PostgresServerOptions, type RunningServer } from './postgres-server.js';
import { readPostmaster } from './postmaster-file.js';
import { capLog } from './server-log.js';
import { Waiting } from './waiting.js';

/** A PostgreSQL server inside DATA_DIR, used when no DATABASE_URL is set. Why it is as it is: decision 3. */
export interface EmbeddedPostgres {
  /** postgres:// address with the generated password; never log it. */
  readonly url: string;
  /** Resolves when a server that this process has started ends by itself; the message says why. */
  readonly ended?: Promise<StartError>;
  /** Stop the server if this process has started it. */
  readonly release: () => Promise<void>;
}

export interface EmbeddedPostgresOptions extends PostgresServerOptions {
  /** Only one service may use a folder at a time; operator commands use its server. */
  readonly role: 'service' | 'command';
  /** How often the service checks the size of the server's log; tests shorten it. */
  readonly logCheckMs?: number;
}

export type EmbeddedPostgresTimes = Pick<EmbeddedPostgresOptions, 'sayAfterMs' | 'logCheckMs'>;

const LOG_CHECK_MS = 60_000;

/** A service that was killed is noticed by its server within this time, and one that runs is none that stops. */
const LASTING_MS = 2_000;

/**
 * Use the PostgreSQL of a folder. A command uses that of a running service. Otherwise this process starts the server, as soon as
 * nobody else uses the folder, and the server ends with it; its files are created by the first start.
 *
 * @throws StartError when the folder cannot be used, or another service uses it
 * Source: choices, section 6.
 */
export async function joinEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, role } = options;
  const server = await PostgresServer.in(options);
  const waiting = new Waiting(options);
  for (;;) {
    const lock = await lockFolder(dataDir);
    if (lock) {
      try {
        await lock.truncate();
        await lock.writeFile(role);
        return used(server, await server.start(lock), options);
      } finally {
        await lock.close();
      }
    }
    const { port, isReady } = await readPostmaster(dataDir);
    const holder = await readFile(lockPath(dataDir), 'utf8').catch(() => '');
    if (holder === 'service' && isReady) {
      if (role === 'command' && (await answers(port))) {
        return { url: server.url(port), release: () => Promise.resolve() };
      }
      if (waiting.ms > LASTING_MS) throw inUse(options);
    }
    await waiting.step(
      `the end of ${holder === 'service' ? 'a service' : 'a command'} that uses the database in ${dataDir}`,
    );
  }
}

function used(
  server: PostgresServer,
  { port, ended, stop }: RunningServer,
  { role, say, logCheckMs = LOG_CHECK_MS }: EmbeddedPostgresOptions,
): EmbeddedPostgres {
  const url = server.url(port);
  if (role === 'command') return { url, ended, release: stop };
  const logCheck = new BackgroundJob({
    intervalMs: logCheckMs,
    run: () => capLog(server.logPath),
    onFailure: (error) => {
      say(`The log of PostgreSQL cannot be shortened: ${systemReason(error)}.`);
    },
  });
  logCheck.start();
  return {
    url,
    ended,
    release: async () => {
      await logCheck.stop();
      await stop();
    },
  };
}

/** Whether something listens there: not for a process in another container or network namespace. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function inUse({ dataDir, role }: EmbeddedPostgresOptions): StartError {
  return new StartError(
    role === 'service'
      ? `The folder ${dataDir} is in use by another running instance of the service; stop that one, or give this one a DATA_DIR of its own.`
      : `PostgreSQL in ${dataDir} cannot be reached: the service that uses the folder runs in another container or network namespace; run the command there.`,
  );
}
