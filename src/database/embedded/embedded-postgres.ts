import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { isWithoutConnection } from '../../common/sql-state.js';
import { StartError } from '../../config/env.js';
import { PostgresServer, type PostgresServerOptions } from './postgres-server.js';

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
  /** Stop using the server; the last user stops it. */
  readonly release: () => Promise<void>;
}

export interface EmbeddedPostgresOptions extends PostgresServerOptions {
  /** Only one service may use a folder at a time; operator commands may join it. */
  readonly role: 'service' | 'command';
}

/** Advisory lock held in shared mode by every user of the folder, and exclusively by the one that stops the server. */
const USERS_LOCK = 7_301;
/** Advisory lock held by the one service of the folder. */
const SERVICE_LOCK = 7_302;

const START_TIMEOUT_MS = 60_000;
/** The server needs some time to notice that a killed service is gone. */
const SERVICE_LOCK_TIMEOUT_MS = 2_000;
const RETRY_DELAY_MS = 100;

/** SQLSTATEs and system codes of a server that is starting, stopping or absent. */
const NOT_RUNNING = new Set(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P02', '57P03']);

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
  return { url: server.url(port), release: () => membership.leave() };
}

/** The connection that holds a user's locks. */
interface LockConnection {
  readonly client: pg.Client;
  readonly port: number;
}

/** One process among the users of a server. */
class Membership {
  private connection?: Promise<LockConnection>;
  private isLeaving = false;

  constructor(
    private readonly server: PostgresServer,
    private readonly options: EmbeddedPostgresOptions,
  ) {}

  /** @returns the port that the server listens on until {@link leave} */
  async join(): Promise<number> {
    this.connection = this.connect();
    return (await this.connection).port;
  }

  async leave(): Promise<void> {
    this.isLeaving = true;
    const connection = await this.connection?.catch(() => undefined);
    if (!connection) return;
    const { client } = connection;
    try {
      await client.query('SELECT pg_advisory_unlock_shared($1)', [USERS_LOCK]);
      if (await isGranted(client, 'pg_try_advisory_lock', USERS_LOCK)) await this.server.stop();
    } catch (error) {
      // A server that is gone needs no stopping.
      if (!isNotRunning(error)) throw error;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Connect, and when the server ends while it is still needed, start it again at the same port. */
  private async connect(port?: number): Promise<LockConnection> {
    const connection = await this.connectOrStart(port);
    connection.client.once('end', () => {
      if (this.isLeaving) return;
      this.connection = this.connect(connection.port);
      this.connection.catch((error: unknown) => {
        this.options.say((error as Error).message);
      });
    });
    return connection;
  }

  private async connectOrStart(port?: number): Promise<LockConnection> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      const connection = await this.tryToConnect();
      if (connection) return connection;
      if (Date.now() > deadline) {
        throw new StartError(
          `PostgreSQL in ${this.options.dataDir} does not answer; its log is ${this.server.log.path}.`,
        );
      }
      if (!(await this.server.isRunning())) await this.server.start(port);
      await delay(RETRY_DELAY_MS);
    }
  }

  /** @returns nothing when the server is absent, is starting, or is being stopped by its last user */
  private async tryToConnect(): Promise<LockConnection | undefined> {
    const port = await this.server.port();
    if (port === undefined) return undefined;
    // Advisory locks belong to one database. Everybody holds them in `postgres`, which has no other purpose.
    const connectionString = this.server.url(port, 'postgres');
    const client = new pg.Client({ connectionString, application_name: 'data-import holder' });
    // A stopping server ends this connection; code that still uses the server notices by its own queries.
    client.on('error', () => undefined);
    try {
      await client.connect();
      if (await this.acquireLocks(client)) return { client, port };
    } catch (error) {
      await client.end().catch(() => undefined);
      if (error instanceof StartError) throw error;
      if (isNotRunning(error)) return undefined;
      throw new StartError(`PostgreSQL in ${this.options.dataDir} refuses us: ${(error as Error).message}.`, {
        cause: error,
      });
    }
    await client.end();
    return undefined;
  }

  /** @returns false while the last user is stopping the server */
  private async acquireLocks(client: pg.Client): Promise<boolean> {
    if (!(await isGranted(client, 'pg_try_advisory_lock_shared', USERS_LOCK))) return false;
    if (this.options.role === 'service' && !(await isGrantedSoon(client, SERVICE_LOCK))) {
      throw new StartError(
        `The folder ${this.options.dataDir} is in use by another running instance of the service; stop that one, or give this one a DATA_DIR of its own.`,
      );
    }
    return true;
  }
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

function isNotRunning(error: unknown): boolean {
  return NOT_RUNNING.has((error as { code?: string }).code ?? '') || isWithoutConnection(error);
}
