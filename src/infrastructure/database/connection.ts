import pg from 'pg';

/** Options of a connection beyond those of pg. */
export interface ConnectionConfig extends pg.ClientConfig {
  /** Time limit for the answer to a query, after which the connection is closed; without it there is no limit. */
  readonly answerLimitMs?: number;
}

/** SQLSTATE of a change on a read-only server or in a read-only transaction. */
const READ_ONLY = '25006';

/**
 * PostgreSQL's function that waits for the synchronous standby. Its warning says that the wait was cancelled: the transaction is
 * stored on the primary and perhaps not on the standby, but the query succeeds all the same.
 */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

/**
 * A connection with the guards that no proxy in front of PostgreSQL has. It remembers how it was lost. Two events end it with an
 * unknown outcome: a query that is not answered in time, and a commit that the synchronous standby has not confirmed. It emits
 * `unusable` to the pool if its server accepts no changes or does not answer.
 *
 * pg reports a lost connection once, as an event. While the pool passes the connection to TypeORM, nothing listens to that event,
 * and it would end the process. A later query fails with an error that does not contain the reason.
 *
 * pg's own time limit creates a timer for every query. The timer keeps everything that the query returned in memory until the old
 * generation of the heap is collected: a list of a million accounts then takes a hundred megabytes (docs/performance.md). Here
 * one timer serves all queries of the connection.
 */
export class Connection extends pg.Client {
  readonly startedAtMs = performance.now();
  loss: Error | undefined;
  private readonly answerLimitMs: number | undefined;
  private isWaiting = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(config: ConnectionConfig = {}) {
    super(config);
    this.answerLimitMs = config.answerLimitMs;
    this.on('error', (error) => {
      this.loss ??= error;
    });
    this.on('notice', ({ routine }) => {
      if (routine === STANDBY_WAIT) this.breakOff('The standby has not confirmed what was stored');
    });
    this.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
      if (code === READ_ONLY) this.emit('unusable');
    });
    this.on('drain', () => {
      this.isWaiting = false;
    });
    this.once('end', () => {
      clearTimeout(this.timer);
    });
  }

  /** pg's own method, which may be called in seven ways: the only parameter type that fits them all is `never`. */
  override query(...call: never[]): never {
    if (this.answerLimitMs !== undefined) this.expectAnswer(this.answerLimitMs);
    return super.query(...(call as unknown as [string])) as never;
  }

  /** The time runs from the last query. If that query was already answered, the timer fires without effect. */
  private expectAnswer(limitMs: number): void {
    this.isWaiting = true;
    this.timer ??= setTimeout(() => {
      if (!this.isWaiting) return;
      this.emit('unusable');
      this.breakOff(`PostgreSQL has not answered a statement within ${limitMs} ms`);
    }, limitMs).unref();
    this.timer.refresh();
  }

  /**
   * The outcome of the running query is unknown, and its caller gets that error at once, because the end of the query may already
   * be among the received bytes. No other query can be sent before its answer.
   */
  private breakOff(reason: string): void {
    this.connection.emit('error', Object.assign(new Error(reason), { code: 'ETIMEDOUT' }));
    this.connection.stream.destroy();
  }
}
