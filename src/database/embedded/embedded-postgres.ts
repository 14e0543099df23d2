import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { BackgroundJob } from '../../common/background-job.js';
import { StartError } from '../../config/env.js';
import { systemReason } from '../../config/system-reason.js';
import { lockFolder, lockPath } from './folder-lock.js';
import {
  createPostgres,
  findPostgres,
  startPostgres,
  urlOf,
  type Installation,
  type RunningServer,
} from './postgres-server.js';
import { readPostmaster } from './postmaster-file.js';
import { capLog } from './server-log.js';

/** A PostgreSQL server inside DATA_DIR, used when no DATABASE_URL is set. Why it is as it is: decision 3. */
export interface EmbeddedPostgres {
  /** postgres:// address with the generated password; never log it. */
  readonly url: string;
  /** Resolves when a server that this process has started ends; the message says why. */
  readonly ended?: Promise<StartError>;
  /** Stop the server if this process has started it. */
  readonly release: () => Promise<void>;
}

export interface EmbeddedPostgresOptions extends EmbeddedPostgresTimes {
  /** DATA_DIR; it exists and has mode 0700. */
  readonly dataDir: string;
  /** Only one service may use a folder at a time; operator commands use its server. */
  readonly role: 'service' | 'command';
  /** Called before a step that takes longer. */
  readonly say: (sentence: string) => void;
  /** Ends the wait for a server that is not ready. */
  readonly signal?: AbortSignal;
  /** Further server settings, `name=value`. */
  readonly serverSettings?: readonly string[];
}

/** Times in milliseconds that tests shorten. */
export interface EmbeddedPostgresTimes {
  /** A wait for others that takes longer is told. */
  readonly sayAfterMs?: number;
  /** How often the size of the server's log is checked. */
  readonly logCheckMs?: number;
}

const SAY_AFTER_MS = 5_000;
const LOG_CHECK_MS = 60_000;
const [POLL_MS, POLL_WHEN_LONG_MS] = [50, 500];

/** The server of a service that was killed stops within this time; one that takes connections for longer has its service. */
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
  const postgres = await findPostgres(dataDir);
  const wait = waiting(options);
  for (const beganMs = performance.now(); ;) {
    const lock = await lockFolder(dataDir);
    if (lock) {
      try {
        await lock.truncate();
        await lock.writeFile(role);
        await createPostgres(postgres, lock.fd, options.say);
        options.say('Starting PostgreSQL …');
        const { serverSettings = [] } = options;
        return used(
          options,
          postgres,
          await startPostgres(postgres, lock.fd, serverSettings, waiting(options)),
        );
      } finally {
        await lock.close();
      }
    }
    const { port, isReady } = await readPostmaster(dataDir);
    const holder = await readFile(lockPath(dataDir), 'utf8');
    if (isReady && holder === 'service') {
      if (role === 'command') return { url: urlOf(postgres, port), release: () => Promise.resolve() };
      if (performance.now() - beganMs > LASTING_MS) {
        throw new StartError(
          `The folder ${dataDir} is in use by another running instance of the service; stop that one, or give this one a DATA_DIR of its own.`,
        );
      }
    }
    await wait(`the end of a ${holder || 'command'} that uses the database in ${dataDir}`);
  }
}

function used(
  { say, logCheckMs = LOG_CHECK_MS }: EmbeddedPostgresOptions,
  postgres: Installation,
  { port, ended, stop }: RunningServer,
): EmbeddedPostgres {
  const onFailure = (error: unknown): void => {
    say(`The log of PostgreSQL cannot be shortened: ${systemReason(error)}.`);
  };
  const logCheck = new BackgroundJob({
    intervalMs: logCheckMs,
    run: () => capLog(postgres.logPath),
    onFailure,
  });
  logCheck.start();
  return { url: urlOf(postgres, port), ended, release: () => logCheck.stop().then(stop) };
}

/** @returns waits for a moment, and says once what for when it takes long; throws when the signal is aborted */
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
