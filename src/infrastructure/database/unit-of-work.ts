import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource, QueryRunnerAlreadyReleasedError, type EntityManager, type QueryRunner } from 'typeorm';
import { isWithoutConnection, sqlState } from '../errors/sql-state.js';
import { FairQueue } from '../limits/fair-queue.js';
import type { Connection } from './connection.js';
import { isLostRace } from './lost-race.js';
import { connectionsOf } from './pool-of.js';
import type { ConnectionCounts } from './pool.js';
import { nodeOptions, type NodeAddress } from './citus/node-options.js';
import { Nodes } from './citus/nodes.js';
import { GENERIC_PLANS } from './connection-options.js';
import { databaseKind, isOnSeveralNodes } from './citus/database-kind.js';
import type { Placement } from './citus/placement.js';

declare const brand: unique symbol;

type Connected = Pick<EntityManager, 'withRepository' | 'query' | 'queryRunner' | 'dataSource'>;

/**
 * The connection that queries run on: the one of their transaction, or for a single query any free one. Only {@link UnitOfWork}
 * creates a Tx. Every repository method takes one first, so no query can run outside its transaction. A TypeORM repository is the
 * injected one, never one that the manager makes for an entity.
 */
export type Tx = Connected & {
  readonly [brand]: 'Tx';
  /** The placement of the supplier, if the connection is to its node; queries then name the shards. */
  readonly placement?: Placement;
};

/** Units of work at the node of one supplier ({@link UnitOfWork.atSupplier}). */
export type SupplierWork = Pick<
  UnitOfWork,
  'write' | 'query' | 'stream' | 'dryRun' | 'inFairQueue' | 'readInFairQueue'
>;

/** Maximum number of tries for a transaction that loses against a concurrent one. */
const TRIES_MAX = 5;
/** Maximum random delay before a retry, which keeps the same transactions from colliding again. */
const PAUSE_MS_MAX = 50;

/** SQLSTATE of a foreign key violation. On several nodes: the account of an import was erased after the query had seen it. */
const FOREIGN_KEY_VIOLATION = '23503';

/**
 * SQLSTATE of a change that a server does not accept, such as a primary that became a standby. Nothing was stored, and the next
 * connection may be to another server (pool.ts), so the work is retried once.
 */
const READ_ONLY = '25006';

/** Pool size if none is configured, the same as pg's default. */
const CONNECTIONS_DEFAULT = 10;

/** Begins and ends all transactions. */
@Injectable()
export class UnitOfWork implements OnApplicationShutdown {
  /** Imports and reads have separate queues, so that a read never waits for imports that wait for locks. */
  private readonly imports: FairQueue;
  private readonly reads: FairQueue;
  /** Undefined on a single server. */
  private readonly nodes: Nodes<SupplierWork> | undefined;
  /** When the database last completed a query or transaction, on the monotonic clock of the process. */
  answeredAtMs = -Infinity;

  constructor(private readonly dataSource: DataSource) {
    const connections = dataSource.options.poolSize ?? CONNECTIONS_DEFAULT;
    this.imports = FairQueue.ofConnections(connections);
    // Socket buffers accept megabytes of a response that the client does not read, so nothing else slows down the reads of one
    // organisation.
    this.reads = FairQueue.ofConnections(connections, 1);
    if (databaseKind(dataSource) === 'coordinator') {
      const open = (node: NodeAddress): DataSource =>
        new DataSource(nodeOptions(dataSource.options, node, GENERIC_PLANS));
      this.nodes = new Nodes(dataSource, open, (node) => {
        const work = new UnitOfWork(node);
        return (placement) => placed(work, placement);
      });
    }
  }

  /** The connections of this process. `waiting` includes imports and reads in the fair queues. Undefined after shutdown. */
  get connections(): ConnectionCounts | undefined {
    const own = connectionsOf(this.dataSource);
    if (!own) return undefined;
    const all = [own, ...(this.nodes?.connected ?? []).flatMap((node) => connectionsOf(node) ?? [])];
    const sum = (state: keyof ConnectionCounts): number => all.reduce((total, one) => total + one[state], 0);
    const waiting = sum('waiting') + this.imports.waitingCount + this.reads.waitingCount;
    return { used: sum('used'), idle: sum('idle'), waiting, max: sum('max') };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.nodes?.close();
  }

  /**
   * Run several queries as one transaction: either everything is stored, or nothing.
   *
   * @param work may run more than once, so it must have no effect outside the database
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.retried(() => this.transaction(work, (runner) => runner.commitTransaction()));
  }

  /**
   * Run a single query, which is its own transaction and costs no further round trip; also for reads. If the work has several
   * queries, each is a transaction with its own snapshot; if one relies on another, use {@link write}.
   */
  query<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.retried(() => work(this.dataSource.manager as Connected as Tx));
  }

  /**
   * Run a single query and yield its rows as they arrive. It starts when the first row is requested. It is not retried, because
   * the caller may already have used rows.
   */
  async *stream<T>(read: (tx: Tx) => AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    yield* read(this.dataSource.manager as Connected as Tx);
    this.answeredAtMs = performance.now();
  }

  /**
   * Run the query of an import and roll it back: its result is the same as if it were stored.
   *
   * Source: choice R1.
   */
  dryRun<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.retried(() => this.transaction(work, rollback));
  }

  /**
   * Run the query of an import. It waits in a {@link FairQueue}, because one organisation may have many.
   *
   * @param work one call of {@link query}, {@link write} or {@link dryRun}
   */
  inFairQueue<T>(organisationId: string, work: () => Promise<T>): Promise<T> {
    return this.imports.run(organisationId, work);
  }

  /** Like {@link inFairQueue}, for the query of a long read. @param work one call of {@link query} */
  readInFairQueue<T>(organisationId: string, work: () => Promise<T>): Promise<T> {
    return this.reads.run(organisationId, work);
  }

  /**
   * Run work about one supplier where its rows are: on this server, or on the node that has them. On a node, every query names
   * its tables in braces (citus/placement.ts).
   *
   * @param work may run more than once, as in {@link write}, and also after one of its queries met rows that were moved
   */
  atSupplier<T>(importSupplierId: number, work: (node: SupplierWork) => Promise<T>): Promise<T> {
    return this.nodes ? this.nodes.run(importSupplierId, work) : work(this);
  }

  /** {@link query} at the node of a supplier. */
  queryAt<T>(importSupplierId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.atSupplier(importSupplierId, (node) => node.query(work));
  }

  /**
   * Run a query about several suppliers: for all of them at once, or on several nodes for one after the other.
   *
   * @param work returns rows of the given suppliers
   */
  async queryOf<T>(
    importSupplierIds: readonly number[],
    work: (tx: Tx, importSupplierIds: readonly number[]) => Promise<T[]>,
  ): Promise<T[]> {
    if (!this.nodes) return this.query((tx) => work(tx, importSupplierIds));
    const rows: T[] = [];
    for (const id of importSupplierIds) rows.push(...(await this.queryAt(id, (tx) => work(tx, [id]))));
    return rows;
  }

  /**
   * Run queries about one supplier as a part of a transaction. On several nodes, the coordinator's transaction cannot include the
   * supplier's rows: the queries run in a separate transaction at the supplier's node, which commits before the caller's.
   */
  joinAtSupplier<T>(tx: Tx, importSupplierId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.nodes && !tx.placement
      ? this.nodes.run(importSupplierId, (node) => node.write(work))
      : work(tx);
  }

  /**
   * Run work about one supplier that the coordinator of several nodes passes on to the node of its rows. While that node is
   * unavailable, the work needs no connection (citus/node-circuit-breaker.ts).
   */
  onCoordinator<T>(importSupplierId: number, work: () => Promise<T>): Promise<T> {
    return this.nodes ? this.nodes.through(importSupplierId, work) : work();
  }

  /** @param end how to end a transaction whose work succeeded; if the work failed, it is rolled back */
  private async transaction<T>(
    work: (tx: Tx) => Promise<T>,
    end: (runner: QueryRunner) => Promise<void>,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const connection = (await runner.connect()) as Connection;
    try {
      await runner.startTransaction();
      const answer = await work(runner.manager as Connected as Tx);
      await end(runner);
      return answer;
    } catch (error) {
      await rollback(runner);
      throw connection.loss && isAfterLoss(error) ? connection.loss : error;
    } finally {
      await runner.release();
    }
  }

  private async retried<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await attempt();
        this.answeredAtMs = performance.now();
        return answer;
      } catch (error) {
        const state = sqlState(error);
        const isWorthwhile =
          isLostRace(error) || this.isErased(state) ? tries < TRIES_MAX : state === READ_ONLY && tries === 1;
        if (!isWorthwhile) throw error;
        await delay(Math.random() * PAUSE_MS_MAX * tries);
      }
    }
  }

  private isErased(state: string | undefined): boolean {
    return state === FOREIGN_KEY_VIOLATION && isOnSeveralNodes({ dataSource: this.dataSource });
  }
}

/**
 * Whether an error means only that the connection is gone. TypeORM releases a lost connection by itself, and afterwards reports
 * that it was released instead of how it was lost.
 */
function isAfterLoss(error: unknown): boolean {
  return error instanceof QueryRunnerAlreadyReleasedError || isWithoutConnection(error);
}

/** Never fails: if the connection is lost, PostgreSQL itself rolls back. */
async function rollback(runner: QueryRunner): Promise<void> {
  try {
    await runner.rollbackTransaction();
  } catch {
    // A closed connection does not return to the pool.
    const connection = (await runner.connect()) as Connection;
    void connection.end();
  }
}

/** Units of work whose queries name the shards of a placement. */
function placed(work: UnitOfWork, placement: Placement): SupplierWork {
  const withPlacement = (tx: Tx): Tx => Object.assign(Object.create(tx) as Tx, { placement });
  return {
    query: (query) => work.query((tx) => query(withPlacement(tx))),
    write: (queries) => work.write((tx) => queries(withPlacement(tx))),
    dryRun: (query) => work.dryRun((tx) => query(withPlacement(tx))),
    stream: (read) => work.stream((tx) => read(withPlacement(tx))),
    inFairQueue: (organisationId, queries) => work.inFairQueue(organisationId, queries),
    readInFairQueue: (organisationId, queries) => work.readInFairQueue(organisationId, queries),
  };
}
