import pg from 'pg';
import { misfit, type Choice, type Hosts, type SessionState } from './hosts.js';

/** How a connection is used, besides what pg knows of it. */
export interface ConnectionConfig extends pg.ClientConfig {
  /** Time limit for the answer to a query, after which its connection is closed; without it there is none. */
  readonly answerLimitMs?: number;
  /** The server to connect to, instead of the one of the address. */
  readonly choice?: Choice;
  /** Chooses the server. */
  readonly hosts?: Hosts;
}

/** Where there are several servers, or one has to be checked, one that does not accept a connection in this time is not used. */
const HOST_TIMEOUT_MS = 3_000;

/** SQLSTATE of a change on a server, or in a transaction, that is read-only. */
const READ_ONLY = '25006';

/**
 * PostgreSQL's function that waits for the synchronous standby. Its warning says that the wait was cancelled, so that the
 * transaction is stored on the primary and perhaps not on the standby; the query succeeds all the same.
 */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

/** What PostgreSQL reports by itself at the start of a connection. */
const REPORTED = ['in_hot_standby', 'default_transaction_read_only'] as const;

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
  /** {@link Hosts.generation} */
  readonly generation: number;
  // Hidden from whoever logs a connection: the addresses contain passwords.
  readonly #choice: Choice | undefined;
  readonly #hosts: Hosts | undefined;
  private readonly reported = new Map<string, string>();
  private readonly answerLimitMs: number | undefined;
  private isWaiting = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(config: ConnectionConfig = {}) {
    const { hosts, choice = hosts?.chosen } = config;
    super(
      choice
        ? { ...config, connectionString: choice.host.url, connectionTimeoutMillis: HOST_TIMEOUT_MS }
        : config,
    );
    this.generation = hosts?.generation ?? 0;
    this.#choice = choice;
    this.#hosts = hosts;
    this.answerLimitMs = config.answerLimitMs;
    this.watchServer();
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

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void;
  override connect(callback?: (error: Error | null, client?: pg.Client) => void): unknown {
    if (!callback) return this.#choice ? this.connectTo(this.#choice) : super.connect();
    if (!this.#choice) {
      super.connect(callback);
      return undefined;
    }
    this.connectTo(this.#choice).then(
      () => {
        callback(null, this);
      },
      (error: unknown) => {
        callback(error as Error);
      },
    );
    return undefined;
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
    if (this.#choice) this.#hosts?.doubt(this.#choice);
    this.breakOff(`PostgreSQL has not answered a statement within ${limitMs} ms`);
  }

  private watchServer(): void {
    this.connection.on('parameterStatus', (status: { parameterName: string; parameterValue: string }) => {
      this.reported.set(status.parameterName, status.parameterValue);
    });
    this.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
      if (code === READ_ONLY) this.#hosts?.abandon(this.generation);
    });
    this.on('notice', ({ routine }) => {
      if (routine === STANDBY_WAIT) this.breakOff('The standby has not confirmed what was stored');
    });
  }

  private async connectTo(choice: Choice): Promise<pg.Client> {
    try {
      await super.connect();
      const reason = choice.attributes === 'any' ? undefined : misfit(await this.state(), choice.attributes);
      if (reason !== undefined) throw new Error(reason);
      return this;
    } catch (error) {
      this.#hosts?.doubt(choice);
      void this.end();
      throw error;
    }
  }

  /** PostgreSQL has reported it with the connection; a pooler between may not pass that on. */
  private async state(): Promise<SessionState> {
    const [standby, readOnly] = REPORTED.map((name) => this.reported.get(name));
    if (standby !== undefined && readOnly !== undefined) {
      return { isStandby: standby === 'on', isReadOnly: readOnly === 'on' };
    }
    const { rows } = await super.query<SessionState>(
      `SELECT pg_is_in_recovery() AS "isStandby",
              current_setting('default_transaction_read_only')::boolean AS "isReadOnly"`,
    );
    return (rows as [SessionState])[0];
  }

  /**
   * The outcome of the running query is unknown, and that is what its caller is told: at once, because the end of the
   * query may be among what has been received already.
   */
  private breakOff(reason: string): void {
    this.connection.emit('error', Object.assign(new Error(reason), { code: 'ETIMEDOUT' }));
    this.connection.stream.destroy();
  }
}
