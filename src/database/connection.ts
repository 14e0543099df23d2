import pg from 'pg';

/** How a connection is used, besides what pg knows of it. */
export interface ConnectionConfig extends pg.ClientConfig {
  /** Time limit for the answer to a query, after which its connection is closed; without it there is none. */
  readonly answerLimitMs?: number;
}

/**
 * A connection that remembers how it was lost, and that has a time limit for answers.
 *
 * pg emits the loss once, as an event. While the pool passes the connection to TypeORM, nothing listens to that event, and
 * the loss would end the process. A later query fails with an error that does not contain the reason.
 *
 * pg's own limit for an answer makes a timer for every query, from which everything that the query has brought hangs
 * until the old part of the heap is collected: a list of a million accounts then takes a hundred megabytes
 * (docs/performance.md). Here one timer serves all queries of the connection.
 */
export class Connection extends pg.Client {
  loss: Error | undefined;
  private readonly answerLimitMs: number | undefined;
  private isWaiting = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(config?: ConnectionConfig) {
    super(config);
    this.answerLimitMs = config?.answerLimitMs;
    this.on('error', (error) => {
      this.loss ??= error;
    });
    this.on('drain', () => {
      this.isWaiting = false;
    });
    this.once('end', () => {
      clearTimeout(this.timer);
    });
  }

  /** pg's own, which may be called in seven ways: of the types only `never` fits them all. */
  override query(...call: never[]): never {
    if (this.answerLimitMs !== undefined) this.expectAnswer(this.answerLimitMs);
    return super.query(...(call as unknown as [string])) as never;
  }

  /** The time runs from the last query; that of one that has been answered runs out for nothing. */
  private expectAnswer(limitMs: number): void {
    this.isWaiting = true;
    this.timer ??= setTimeout(() => {
      this.timeOut(limitMs);
    }, limitMs).unref();
    this.timer.refresh();
  }

  /** The outcome of the query is unknown, and no other can be sent before its answer, so the connection is closed. */
  private timeOut(limitMs: number): void {
    if (!this.isWaiting) return;
    const silence = new Error(`PostgreSQL has not answered a statement within ${limitMs} ms`);
    this.connection.stream.destroy(Object.assign(silence, { code: 'ETIMEDOUT' }));
  }
}
