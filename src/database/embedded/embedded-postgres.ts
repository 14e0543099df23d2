import { setTimeout as delay } from 'node:timers/promises';
import { BackgroundJob } from '../../common/background-job.js';
import { StartError } from '../../config/env.js';
import { acquireFolderLock } from './folder-lock.js';
import { LockConnection, type Found } from './lock-connection.js';
import { PostgresServer, type PostgresServerOptions } from './postgres-server.js';
import { systemReason } from '../../config/system-reason.js';

/**
 * A PostgreSQL server inside DATA_DIR, used when no DATABASE_URL is set.
 *
 * It belongs to the folder, not to one process: the service and operator commands may use it at the same time. The first
 * user starts it, the last one stops it. Users are counted by advisory locks on the server itself, which a killed
 * process loses when it ends, so that nothing has to be cleaned up after a crash. The reasons are in
 * docs/decisions/0003-embedded-postgresql.md.
 */
export interface EmbeddedPostgres {
  /** postgres:// address with the generated password; never log it. */
  readonly url: string;
  /** Resolves when the server has ended and could not be started again; the message says why. */
  readonly gaveUp: Promise<StartError>;
  /** Stop using the server; the last user stops it. */
  readonly release: () => Promise<void>;
}

export interface EmbeddedPostgresOptions extends PostgresServerOptions {
  /** Only one service may use a folder at a time; operator commands may join it. */
  readonly role: 'service' | 'command';
  /** Ends the wait for a server that is not ready. */
  readonly signal?: AbortSignal;
  readonly times?: EmbeddedPostgresTimes;
}

/** Times in milliseconds that tests shorten; the defaults are below. */
export interface EmbeddedPostgresTimes {
  /** How long a server that does not answer is waited for. */
  readonly answerMs?: number;
  /** How often a wait for a server that is not ready yet is reported. */
  readonly reportMs?: number;
  /** Delay after the first failed restart; each further one doubles it. */
  readonly restartDelayMs?: number;
  /** How long a server that has ended is restarted for. */
  readonly giveUpMs?: number;
  /** How often the service checks the size of the server's log. */
  readonly logCheckMs?: number;
}

const TIMES: Required<EmbeddedPostgresTimes> = {
  answerMs: 60_000,
  reportMs: 30_000,
  restartDelayMs: 500,
  giveUpMs: 300_000,
  logCheckMs: 60_000,
};
const RESTART_DELAY_MAX_MS = 30_000;
const POLL_MS = 100;

/**
 * Use the PostgreSQL of a folder; create and start it when needed.
 *
 * @throws StartError when the folder cannot be used, or another service uses it
 * Source: choices, section 6.
 */
export async function joinEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const server = await PostgresServer.in(options);
  const membership = new Membership(server, options);
  const port = await membership.join();
  return { url: server.url(port), gaveUp: membership.gaveUp, release: () => membership.leave() };
}

/** One process among the users of a server. */
class Membership {
  private readonly times: Required<EmbeddedPostgresTimes>;
  private readonly leaving = new AbortController();
  private connection?: Promise<LockConnection>;
  private logCheck: BackgroundJob | undefined;
  /** When a server last accepted a connection, if only to say that it is not ready. */
  private answeredMs = 0;
  private giveUp: (why: StartError) => void;

  readonly gaveUp = new Promise<StartError>((resolve) => {
    this.giveUp = resolve;
  });

  constructor(
    private readonly server: PostgresServer,
    private readonly options: EmbeddedPostgresOptions,
  ) {
    this.times = { ...TIMES, ...options.times };
  }

  /** @returns the port that the server listens on until {@link leave} */
  async join(): Promise<number> {
    const { signal, role } = this.options;
    this.connection = this.connect(AbortSignal.any([this.leaving.signal, ...(signal ? [signal] : [])]));
    const { port } = await this.connection;
    if (role === 'service') this.watchLog();
    return port;
  }

  async leave(): Promise<void> {
    this.leaving.abort();
    await this.logCheck?.stop();
    const connection = await this.connection?.catch(() => undefined);
    await connection?.release(() => this.server.stop());
  }

  /** Connect, and when the server ends while it is still needed, start it again at the same port. */
  private async connect(signal: AbortSignal, port?: number): Promise<LockConnection> {
    const connection = await this.connectOrStart(signal, port);
    connection.onceEnded(() => {
      if (this.leaving.signal.aborted) return;
      this.connection = this.restart(connection.port);
      // Reported by itself; `leave` has nothing to release then.
      this.connection.catch(() => undefined);
    });
    return connection;
  }

  /** Start a server that has ended, until that succeeds, the user leaves, or it has been down for too long. */
  private async restart(port: number): Promise<LockConnection> {
    const { signal } = this.leaving;
    const { giveUpMs, restartDelayMs } = this.times;
    this.answeredMs = performance.now();
    for (let delayMs = restartDelayMs; ; delayMs = Math.min(2 * delayMs, RESTART_DELAY_MAX_MS)) {
      try {
        return await this.connect(signal, port);
      } catch (error) {
        if (signal.aborted) throw error;
        const { message } = error as Error;
        this.options.say(message);
        const leftMs = this.answeredMs + giveUpMs - performance.now();
        if (leftMs <= 0) {
          this.giveUp(new StartError(`PostgreSQL ended and could not be started again. ${message}`));
          throw error;
        }
        await delay(Math.min(delayMs, leftMs), undefined, { signal });
      }
    }
  }

  /**
   * A server that is not ready, because it recovers or stops, is waited for without limit; one that does not answer for
   * {@link EmbeddedPostgresTimes.answerMs}.
   */
  private async connectOrStart(signal: AbortSignal, port?: number): Promise<LockConnection> {
    const { answerMs, reportMs } = this.times;
    let hasStarted = false;
    let silentSinceMs = performance.now();
    let reportedMs = silentSinceMs;
    for (;;) {
      const found = await this.find(port);
      if (found.state === 'usable') return found.connection;
      if (signal.aborted) {
        if (hasStarted) await this.server.stop();
        throw signal.reason;
      }
      const nowMs = performance.now();
      if (found.state === 'not ready') this.answeredMs = silentSinceMs = nowMs;
      const isOurs = found.state !== 'not ready' && (await this.startIfUnlocked(port));
      hasStarted ||= isOurs;
      if (nowMs - silentSinceMs > answerMs) throw this.silence(found, isOurs);
      if (found.state === 'refused' && !isOurs) throw this.silence(found, isOurs);
      if (nowMs - reportedMs > reportMs) {
        reportedMs = nowMs;
        this.options.say(this.waiting(found));
      }
      if (!isOurs) await delay(POLL_MS);
    }
  }

  private async find(wantedPort?: number): Promise<Found> {
    const { dataDir, role } = this.options;
    const port = await this.server.port();
    if (port === undefined) return { state: 'absent' };
    const found = await LockConnection.open(this.server.url(port, 'postgres'), role);
    if (found.state === 'taken') {
      throw new StartError(
        `The folder ${dataDir} is in use by another running instance of the service; stop that one, or give this one a DATA_DIR of its own.`,
      );
    }
    if (found.state !== 'usable' || port === (wantedPort ?? port)) return found;
    await found.connection.close();
    return { state: 'refused', reason: `it listens on port ${port} now, and is needed on ${wantedPort}` };
  }

  /** @returns false while the folder is locked: a server runs, or another process is starting one */
  private async startIfUnlocked(port?: number): Promise<boolean> {
    const lock = await acquireFolderLock(this.options.dataDir);
    if (!lock) return false;
    try {
      return await this.server.start(lock, port);
    } finally {
      await lock.release();
    }
  }

  private waiting(found: Found): string {
    const reason = found.state === 'not ready' ? found.message : 'it does not answer';
    return `PostgreSQL in ${this.options.dataDir} is not ready yet (${reason}); waiting for it …`;
  }

  private silence(found: Found, isOurs: boolean): StartError {
    const { dataDir } = this.options;
    if (found.state === 'refused')
      return new StartError(`PostgreSQL in ${dataDir} refuses us: ${found.reason}.`);
    if (isOurs) {
      return new StartError(`PostgreSQL in ${dataDir} does not answer; its log is ${this.server.log.path}.`);
    }
    return new StartError(
      `PostgreSQL in ${dataDir} cannot be reached: the folder is in use from another container or network namespace; stop the service there, or give this one a DATA_DIR of its own.`,
    );
  }

  private watchLog(): void {
    this.logCheck = new BackgroundJob({
      intervalMs: this.times.logCheckMs,
      run: () => this.server.log.cap(),
      onFailure: (error) => {
        this.options.say(`The log of PostgreSQL cannot be shortened: ${systemReason(error)}.`);
      },
    });
    this.logCheck.start(0);
  }
}
