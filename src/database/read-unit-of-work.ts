import { setTimeout as delay } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { BackgroundJob } from '../common/background-job.js';
import { databaseMessage, isUnavailable } from '../common/sql-state.js';
import { Throttle } from '../common/throttle.js';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { isOnSeveralNodes } from './distribution/database-kind.js';
import { connect } from './open-database.js';
import { connectionsOf } from './pool-of.js';
import type { ConnectionCounts } from './pool.js';
import { query, runForOne } from './query.js';
import { UnitOfWork, type Tx } from './unit-of-work.js';
import { REPLAYED, WalPositions, type Replayed } from './wal-positions.js';

/** How often the lag is measured. */
const INTERVAL_MS = 1_000;
/**
 * A standby that has not answered within this time does not count, and the primary is asked. A permission that was checked
 * before is then still younger than the five seconds of choice A7.
 */
const STANDBY_ANSWER_MAX_MS = 2_000;
/**
 * The log has at most one line in this time about the state of the standby, and one about reads that failed; and the
 * connections are replaced at most once in it.
 */
const PAUSE_MS = 60_000;

/** SQL for which database it is, the same on a primary and its standbys. */
const IDENTITY = `(SELECT system_identifier FROM pg_control_system()) || '/' || current_database()`;

/** What a standby says of itself. */
interface StandbyState extends Replayed {
  readonly is_standby: boolean;
  readonly identity: string;
}

const STANDBY = query<StandbyState>(
  'database.standby',
  `SELECT pg_is_in_recovery() AS is_standby, ${IDENTITY} AS identity, ${REPLAYED} AS replayed`,
);

const PRIMARY = query<{ written: string; identity: string }>(
  'database.primary',
  `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text AS written, ${IDENTITY} AS identity`,
);

/** What the two servers of a read are called in the metrics. */
export const SERVERS = ['standby', 'primary'] as const;
export type Server = (typeof SERVERS)[number];

/** The endpoints whose reads a standby may answer. */
export const ENDPOINTS = ['list', 'status'] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/**
 * Reads from the standby in DATABASE_READ_URL, as long as its data is at most DATABASE_READ_LAG_MAX_SECONDS old.
 *
 * The lag is measured once a second. Besides, every answer of the standby brings the position up to which its server has
 * replayed the log, because several standbys may share the address.
 *
 * Source: choice O8.
 */
@Injectable()
export class ReadUnitOfWork implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Whether there is a standby to read from. */
  readonly hasStandby: boolean;
  /** How many reads each server has answered since the start. */
  readonly answered: Readonly<Record<Endpoint, Record<Server, number>>> = {
    list: { standby: 0, primary: 0 },
    status: { standby: 0, primary: 0 },
  };

  private readonly logger = new Logger('standby');
  private readonly lagMaxMs: number;
  private readonly positions = new WalPositions();
  private readonly startedAtMs = performance.now();
  /** Kept once it has succeeded. */
  private connecting: Promise<DataSource> | undefined;
  private dataSource: DataSource | undefined;
  /** The time of which the standby has everything, as measured last. */
  private hasAllOfMs: number | undefined;
  /** Why the standby cannot be used, but for its lag. */
  private fault: string | undefined;
  /** Ends the wait for each read that the standby has not answered yet. */
  private readonly waiting = new Set<(why: Error) => void>();
  private readonly measurements = new BackgroundJob({
    intervalMs: INTERVAL_MS,
    run: async () => {
      await this.measure();
      this.logState();
    },
    onFailure: (err) => {
      this.logger.warn({ msg: 'the lag of the standby could not be measured', err });
    },
  });
  /** What the log says of the standby. */
  private isLoggedAsUsed = true;
  private readonly stateLines = new Throttle(PAUSE_MS);
  private readonly failureLines = new Throttle(PAUSE_MS);
  private readonly reconnects = new Throttle(PAUSE_MS);

  constructor(
    private readonly work: UnitOfWork,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {
    this.hasStandby = environment.DATABASE_READ_URL !== undefined;
    this.lagMaxMs = environment.DATABASE_READ_LAG_MAX_SECONDS * 1_000;
  }

  /** Whether the standby answers and its data is new enough, as far as is known now. */
  get isUsable(): boolean {
    return this.fault === undefined && this.isNew(this.hasAllOfMs);
  }

  /** The connections of this process to the standby; undefined while there are none. */
  get connections(): ConnectionCounts | undefined {
    return connectionsOf(this.dataSource);
  }

  /** The data of the standby is at most this old; while nothing is known of it, the time since the start. */
  get lagSeconds(): number {
    return (performance.now() - (this.hasAllOfMs ?? this.startedAtMs)) / 1_000;
  }

  /**
   * Run a single query on the standby.
   *
   * @returns undefined when the standby cannot be used, fails, is slow, or its data is too old: ask the primary. Its data may
   *   be older than DATABASE_READ_LAG_MAX_SECONDS by the time that the query takes
   */
  async single<Row extends Replayed>(work: (tx: Tx) => Promise<Row[]>): Promise<Row[] | undefined> {
    const { dataSource } = this;
    if (!dataSource || !this.isUsable) return undefined;
    const startedMs = performance.now();
    try {
      const rows = await this.unlessGivenUp(work(dataSource.manager as Tx));
      const isInTime = performance.now() - startedMs <= STANDBY_ANSWER_MAX_MS;
      return isInTime && rows.every((row) => this.isNew(this.timeOf(row))) ? rows : undefined;
    } catch (err) {
      this.logFailure(err);
      return undefined;
    }
  }

  /** Count reads that were answered. */
  count(endpoint: Endpoint, server: Server, reads = 1): void {
    this.answered[endpoint][server] += reads;
  }

  onApplicationBootstrap(): void {
    if (this.hasStandby) this.measurements.start(0);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.measurements.stop();
    const [connected] = await Promise.allSettled([this.connecting]);
    if (connected.status === 'fulfilled') await connected.value?.destroy();
  }

  /** While the primary does not answer nothing is concluded, and the lag grows. */
  private async measure(): Promise<void> {
    const standby = await this.ask().catch((error: unknown) => {
      this.giveUp(databaseMessage(error));
    });
    if (!standby) return;
    const atMs = performance.now();
    const primary = await this.work.single((tx) => runForOne(tx, PRIMARY, {})).catch(() => undefined);
    if (!primary) return;
    if (!standby.is_standby || standby.replayed === null || standby.identity !== primary.identity) {
      this.giveUp('it is not a standby of the database in DATABASE_URL');
      await this.disconnect();
      return;
    }
    // It followed another primary before a fail-over.
    if (BigInt(standby.replayed) > BigInt(primary.written)) {
      this.positions.clear();
      this.giveUp('it has replayed more than the primary has written');
      return;
    }
    this.positions.record(atMs, BigInt(primary.written));
    this.fault = undefined;
    this.hasAllOfMs = this.timeOf(standby) ?? this.hasAllOfMs;
  }

  private async ask(): Promise<StandbyState> {
    const asked = this.connected().then(({ manager }) => {
      if (isOnSeveralNodes(manager)) throw new Error('the tables are on several nodes');
      return runForOne(manager as Tx, STANDBY, {});
    });
    const isLate = delay(STANDBY_ANSWER_MAX_MS, undefined, { ref: false });
    const answer = await Promise.race([asked, isLate]);
    if (!answer) throw new Error(`it has not answered within ${STANDBY_ANSWER_MAX_MS} ms`);
    return answer;
  }

  private connected(): Promise<DataSource> {
    const { DATABASE_READ_URL: url = '', DATABASE_STATEMENT_TIMEOUT_MS: limitMs } = this.environment;
    const use = { statementTimeoutMs: Math.min(limitMs, STANDBY_ANSWER_MAX_MS) };
    this.connecting ??= connect(url, this.environment, use).then(
      (dataSource) => (this.dataSource = dataSource),
      (error: unknown) => {
        this.connecting = undefined;
        throw error;
      },
    );
    return this.connecting;
  }

  /** After a promotion the same address may lead to a standby again. */
  private async disconnect(): Promise<void> {
    const { dataSource } = this;
    if (!dataSource || !this.reconnects.consume()) return;
    [this.dataSource, this.connecting] = [undefined, undefined];
    await dataSource.destroy();
  }

  /** Until the next measurement; reads that wait for the standby go to the primary. */
  private giveUp(fault: string): void {
    this.fault = fault;
    const why = Object.assign(new Error(`The standby is not used: ${fault}.`), { code: 'ETIMEDOUT' });
    for (const end of this.waiting) end(why);
  }

  private unlessGivenUp<T>(read: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.waiting.add(reject);
      const end = (): void => void this.waiting.delete(reject);
      read.then(resolve, reject).finally(end);
    });
  }

  private timeOf({ replayed }: Replayed): number | undefined {
    return replayed === null ? undefined : this.positions.timeOf(BigInt(replayed));
  }

  private isNew(hasAllOfMs: number | undefined): boolean {
    return hasAllOfMs !== undefined && performance.now() - hasAllOfMs <= this.lagMaxMs;
  }

  /** After a change, unless the last line is too young: then a later measurement writes it, if it still holds. */
  private logState(): void {
    const reason =
      this.fault ??
      (this.lagSeconds * 1_000 > this.lagMaxMs ? 'it lags behind the primary by too much' : undefined);
    const isUsed = reason === undefined;
    if (isUsed === this.isLoggedAsUsed || !this.stateLines.consume()) return;
    this.isLoggedAsUsed = isUsed;
    this.logger.warn(
      isUsed ? { msg: 'the standby is used again' } : { msg: 'the standby is not used', reason },
    );
  }

  /** A standby that is away is logged as a change of its state. */
  private logFailure(err: unknown): void {
    if (isUnavailable(err) || !this.failureLines.consume()) return;
    this.logger.warn({ msg: 'the standby could not answer a read, and the primary was asked', err });
  }
}
