import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { isUnanswered, sqlState } from '../common/sql-state.js';

declare const brand: unique symbol;

/**
 * The connection that a piece of work runs on. Only {@link UnitOfWork} makes one, and every repository method takes one
 * first, so no query can slip out of its transaction.
 */
export type Tx = EntityManager & { readonly [brand]: 'Tx' };

/** Whether a load is stored, or only answered as if it were (contract R1). */
export type LoadMode = 'store' | 'dry_run';

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
    return this.retried(() => this.dataSource.transaction((manager) => work(manager as Tx)));
  }

  /**
   * Do work whose single statement is its own transaction; also for reads. It costs no round trip beyond its own.
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
  load<T>(mode: LoadMode, work: (tx: Tx) => Promise<T>): Promise<T> {
    return mode === 'store' ? this.single(work) : this.undone(work);
  }

  private undone<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.retried(async () => {
      const runner = this.dataSource.createQueryRunner();
      try {
        await runner.startTransaction();
        const answer = await work(runner.manager as Tx);
        await runner.rollbackTransaction();
        return answer;
      } catch (error) {
        await abandon(runner, error);
        throw error;
      } finally {
        await runner.release();
      }
    });
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

/** Undo a transaction that has failed. What it failed of is told; this can fail only of the same lost connection. */
async function abandon(runner: QueryRunner, error: unknown): Promise<void> {
  try {
    // A connection that is waiting for an answer would not even send it.
    if (isUnanswered(error)) throw error;
    await runner.rollbackTransaction();
  } catch {
    // What is closed does not come back to the pool, and PostgreSQL undoes what was begun on it.
    const connection = await (runner.connect() as Promise<pg.Client>).catch(() => undefined);
    void connection?.end();
  }
}
