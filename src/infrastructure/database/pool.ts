import pg from 'pg';
import { Connection, type ConnectionConfig } from './connection.js';

/** Options of connections and their pool beyond those of pg. */
export type PoolConfig = pg.PoolConfig & ConnectionConfig;

/** The connections of a process to one server. */
export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  /** Queries and transactions that wait for a connection. */
  readonly waiting: number;
  /** Maximum number of connections. */
  readonly max: number;
}

/**
 * pg's pool, with a guard: it never reuses a connection that was lost while it was in use, or whose server has become read-only
 * or silent. A new connection looks up the address again, so after a failover it reaches the new primary.
 */
export class Pool extends pg.Pool {
  /** Connections that were started before this time are closed. */
  private unusableAtMs = -Infinity;

  constructor(config: PoolConfig) {
    super({ ...config, Client: Connection });
    this.on('connect', (client) => {
      (client as NodeJS.EventEmitter).on('unusable', () => {
        if (this.isUsable(client)) this.closeAll();
      });
    });
    // Once a connection has begun to end, the pool discards it, so nobody gets it again.
    this.on('release', (_error, client) => {
      if (!this.isUsable(client)) void client.end();
    });
  }

  /** The pool's current counts. A connection that is being opened counts as used. */
  get counts(): ConnectionCounts {
    const { totalCount, idleCount, waitingCount, options } = this;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options.max };
  }

  private isUsable(client: pg.Client): boolean {
    const { loss, startedAtMs } = client as Connection;
    return loss === undefined && startedAtMs > this.unusableAtMs;
  }

  /** Connections in use are closed when they are released. */
  private closeAll(): void {
    this.unusableAtMs = performance.now();
    for (let count = this.idleCount; count > 0; count -= 1) {
      this.connect((_error, _client, release) => {
        release();
      });
    }
  }
}
