import pg from 'pg';
import { Connection, type ConnectionConfig } from './connection.js';

/** How connections are made and shared, besides what pg knows of it. */
export type PoolConfig = pg.PoolConfig & ConnectionConfig;

/** The connections of a process to one server. */
export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  /** Queries and transactions that wait for a connection. */
  readonly waiting: number;
  /** Connections that there may be. */
  readonly max: number;
}

/**
 * pg's pool, which never hands a connection out again that was lost while it was lent, or that leads to a server that has
 * become read-only or silent. The next connections lead wherever the address leads by then.
 */
export class Pool extends pg.Pool {
  /** Connections that were begun before are closed. */
  private unusableAtMs = -Infinity;

  constructor(config: PoolConfig) {
    super({ ...config, Client: Connection });
    this.on('connect', (client) => {
      (client as NodeJS.EventEmitter).on('unusable', () => {
        if (this.isUsable(client)) this.closeAll();
      });
    });
    // The pool closes what has begun to end, before anybody else can get it.
    this.on('release', (_error, client) => {
      if (!this.isUsable(client)) void client.end();
    });
  }

  /** What the pool has now. A connection that is being made counts as used. */
  get counts(): ConnectionCounts {
    const { totalCount, idleCount, waitingCount, options } = this;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, max: options.max };
  }

  private isUsable(client: pg.Client): boolean {
    const { loss, startedAtMs } = client as Connection;
    return loss === undefined && startedAtMs > this.unusableAtMs;
  }

  /** Those that are in use are closed when they are released. */
  private closeAll(): void {
    this.unusableAtMs = performance.now();
    for (let count = this.idleCount; count > 0; count -= 1) {
      this.connect((_error, _client, release) => {
        release();
      });
    }
  }
}
