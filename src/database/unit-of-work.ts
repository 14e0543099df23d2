import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DataSource, QueryRunnerAlreadyReleasedError, type EntityManager, type QueryRunner } from 'typeorm';
import { isWithoutConnection, sqlState } from '../common/sql-state.js';
import type { Connection } from './connection.js';

declare const brand: unique symbol;

/**
 * What a piece of work runs on: the connection of its transaction, or for single statements whichever is free. Only
 * {@link UnitOfWork} makes one, and every repository method takes one first, so no query can slip out of its transaction.
 */
export type Tx = EntityManager & { readonly [brand]: 'Tx' };

/** Whether a load is stored, or only answered as if it were (contract R1). */
export type ImportMode = 'store' | 'dry_run';

/** A transaction that lost against a concurrent one is tried again at most this often. */
const TRIES_MAX = 5;
/** Before it is tried again it waits, for chance to say how long, so that the same ones do not meet again. */
const PAUSE_MS_MAX = 50;

/** SQLSTATE of a serialization failure and of a deadlock: nothing was stored, and the same work may succeed now. */
const LOST_RACE = new Set(['40001', '40P01']);

/** Where every transaction begins and ends. */
@Injectable()
export class UnitOfWork {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Do several statements as one transaction: all of it is stored, or nothing.
   *
   * @param work may run more than once, so it must have no effect outside the database
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.retried(() => this.transaction(work, (runner) => runner.commitTransaction()));
  }

  /**
   * Do work whose single statement is its own transaction; also for reads. It costs no round trip beyond its own. Of
   * several statements each is a transaction of its own and sees its own moment: what must hold from one to the next
   * belongs into {@link write}.
   */
  single<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.retried(() => work(this.dataSource.manager as Tx));
  }

  /**
   * Do the single statement of a load, or only try it: the same statement decides in both modes, and a dry run undoes
   * what it did.
   *
   * Source: contract R1.
   */
  load<T>(mode: ImportMode, work: (tx: Tx) => Promise<T>): Promise<T> {
    return mode === 'store' ? this.single(work) : this.undone(work);
  }

  private undone<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.retried(() => this.transaction(work, undo));
  }

  /** @param end what becomes of work that succeeded; what failed is undone */
  private async transaction<T>(
    work: (tx: Tx) => Promise<T>,
    end: (runner: QueryRunner) => Promise<void>,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const connection = (await runner.connect()) as Connection;
    try {
      await runner.startTransaction();
      const answer = await work(runner.manager as Tx);
      await end(runner);
      return answer;
    } catch (error) {
      await undo(runner);
      throw connection.loss && isAfterLoss(error) ? connection.loss : error;
    } finally {
      await runner.release();
    }
  }

  private async retried<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (tries === TRIES_MAX || !LOST_RACE.has(sqlState(error) ?? '')) throw error;
        await delay(Math.random() * PAUSE_MS_MAX * tries);
      }
    }
  }
}

/**
 * Whether a failure says only that the connection is not there any more: TypeORM gives it back by itself when it is lost,
 * and says afterwards that it was given back, without a word of the loss.
 */
function isAfterLoss(error: unknown): boolean {
  return error instanceof QueryRunnerAlreadyReleasedError || isWithoutConnection(error);
}

/**
 * Undo a transaction. This never fails: where PostgreSQL cannot be told, it undoes by itself what was begun on a
 * connection that is lost.
 */
async function undo(runner: QueryRunner): Promise<void> {
  try {
    await runner.rollbackTransaction();
  } catch {
    // What is closed does not come back to the pool.
    const connection = (await runner.connect()) as Connection;
    void connection.end();
  }
}
