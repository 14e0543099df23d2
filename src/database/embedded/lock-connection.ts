import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { isWithoutConnection } from '../../common/sql-state.js';

/** Advisory lock held in shared mode by every user of the server, and exclusively by the one that stops it. */
const USERS_LOCK = 7_301;
/** Advisory lock held by the one service of the folder. */
const SERVICE_LOCK = 7_302;

/** The server needs some time to notice that a killed service is gone. */
const SERVICE_LOCK_TIMEOUT_MS = 2_000;
const RETRY_DELAY_MS = 100;
/** A server that was suspended accepts a connection and never answers. */
const CONNECT_TIMEOUT_MS = 5_000;

/** SQLSTATE of a server that starts, recovers or stops, and says so. */
const NOT_READY = '57P03';
/** SQLSTATEs and system codes of a server that ends, or that cannot be reached. */
const ABSENT = new Set([
  ...['57P01', '57P02', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'],
  // Without any network, as in a new network namespace.
  ...['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL'],
]);

/** What is at the port of the server. */
export type Found =
  | { readonly state: 'usable'; readonly connection: LockConnection }
  /** Nothing, or a server that its last user is stopping. */
  | { readonly state: 'absent' }
  /** A server that starts, recovers or stops. */
  | { readonly state: 'not ready'; readonly message: string }
  /** A server that rejects the user, perhaps one of another folder. */
  | { readonly state: 'refused'; readonly reason: string }
  /** The server has another service. */
  | { readonly state: 'taken' };

/** The connection that holds the advisory locks of one user. The server releases them when the process is killed. */
export class LockConnection {
  private constructor(
    private readonly client: pg.Client,
    readonly port: number,
  ) {}

  /** @param url of the database `postgres`: advisory locks belong to one database, and that one has no other purpose */
  static async open(url: string, role: 'service' | 'command'): Promise<Found> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'data-import holder',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    // A stopping server ends this connection; code that still uses the server notices by its own queries.
    client.on('error', () => undefined);
    const lost = await acquireLocks(client, role).catch((error: unknown) => stateAfter(error as Error));
    if (lost === undefined) return { state: 'usable', connection: new LockConnection(client, client.port) };
    await client.end().catch(() => undefined);
    return lost;
  }

  onceEnded(listener: () => void): void {
    this.client.once('end', listener);
  }

  /** Give up the locks; the last user stops the server. */
  async release(stop: () => Promise<void>): Promise<void> {
    try {
      await this.client.query('SELECT pg_advisory_unlock_shared($1)', [USERS_LOCK]);
      if (await isGranted(this.client, 'pg_try_advisory_lock', USERS_LOCK)) await stop();
    } catch (error) {
      const { state } = stateAfter(error as Error);
      // A server that is gone needs no stopping.
      if (state === 'refused') throw error;
    } finally {
      await this.close();
    }
  }

  /** Give up the locks, and leave the server to others. */
  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}

/** @returns undefined once all locks are held */
async function acquireLocks(client: pg.Client, role: 'service' | 'command'): Promise<Found | undefined> {
  await client.connect();
  if (!(await isGranted(client, 'pg_try_advisory_lock_shared', USERS_LOCK))) return { state: 'absent' };
  if (role === 'service' && !(await isGrantedSoon(client, SERVICE_LOCK))) return { state: 'taken' };
  return undefined;
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

function stateAfter(error: Error & { code?: string }): Found {
  if (error.code === NOT_READY) return { state: 'not ready', message: error.message };
  if (ABSENT.has(error.code ?? '') || isWithoutConnection(error)) return { state: 'absent' };
  return { state: 'refused', reason: error.message };
}
