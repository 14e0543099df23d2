import pg from 'pg';
import type { DatabaseHost, SessionAttributes } from '../config/database-address.js';
import { Connection, type ConnectionConfig } from './connection.js';
import { Hosts } from './hosts.js';

/** How connections are made and shared, besides what pg knows of it. */
export interface PoolConfig extends pg.PoolConfig, ConnectionConfig {
  /** The servers of the address, and what they must allow. */
  readonly servers: readonly DatabaseHost[];
  readonly sessionAttributes: SessionAttributes;
}

/** The connections of a process to one server. */
export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  /** Queries and transactions that wait for a connection. */
  readonly waiting: number;
  /** Connections that there may be. */
  readonly max: number;
}

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/**
 * pg's pool, whose connections follow the primary: they are made to the server that {@link Hosts} has chosen, and those to
 * another one, or to one that accepts no changes, are closed.
 *
 * An address of one server that may be anything costs nothing more than with pg's own.
 */
export class Pool extends pg.Pool {
  private readonly hosts: Hosts;
  private readonly idle = new Set<Connection>();
  /** Those that wait until the server is chosen, and not in pg's queue. */
  private choosing = 0;

  constructor({ servers, sessionAttributes, ...config }: PoolConfig) {
    const hosts = new Hosts(servers, sessionAttributes, async (choice) => {
      const connection = new Connection({ ...config, choice });
      await connection.connect();
      void connection.end();
    });
    super({ ...config, Client: Connection, hosts } as pg.PoolConfig);
    this.hosts = hosts;
    this.on('acquire', (client) => this.idle.delete(client as unknown as Connection));
    this.on('remove', (client) => this.idle.delete(client as unknown as Connection));
    this.on('release', (_error, client) => {
      this.returned(client as unknown as Connection);
    });
  }

  /** What the pool has now. A connection that is being made counts as used. */
  get counts(): ConnectionCounts {
    const { totalCount, idleCount, waitingCount, options } = this;
    const waiting = waitingCount + this.choosing;
    return { used: totalCount - idleCount, idle: idleCount, waiting, max: options.max };
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): unknown {
    const { isGiven } = this.hosts;
    if (!callback) return isGiven ? super.connect() : this.connectToChosen();
    if (isGiven) {
      super.connect(callback);
      return undefined;
    }
    this.connectToChosen().then(
      (client) => {
        callback(undefined, client, (error) => {
          client.release(error);
        });
      },
      (error: unknown) => {
        callback(error as Error, undefined, () => undefined);
      },
    );
    return undefined;
  }

  private async connectToChosen(): Promise<pg.PoolClient> {
    const { chosen } = this.hosts;
    if (chosen) {
      try {
        return await super.connect();
      } catch (error) {
        // Without doubt about the server, none of its connections was free in time.
        if (this.hosts.chosen === chosen) throw error;
      }
    }
    this.choosing += 1;
    await this.hosts.choose().finally(() => (this.choosing -= 1));
    this.closeOldIdle();
    return super.connect();
  }

  /** The pool closes what has begun to end, before another request can get it. */
  private returned(client: Connection): void {
    if (client.generation === this.hosts.generation) {
      this.idle.add(client);
      return;
    }
    void client.end();
    this.closeOldIdle();
  }

  private closeOldIdle(): void {
    for (const client of this.idle) {
      if (client.generation === this.hosts.generation) continue;
      // To the pool a connection that is lost, which it removes and closes at once.
      client.emit('error', new Error('The connection is not to the server that is used now'));
    }
  }
}
