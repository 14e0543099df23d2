import { Socket } from 'node:net';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../../src/apps/data-source.js';
import { fromDatabase } from '../../../../src/infrastructure/errors/to-app-error.js';
import { sqlState } from '../../../../src/infrastructure/errors/sql-state.js';
import { run, runForOne, query } from '../../../../src/infrastructure/database/query.js';
import type { ConnectionUse } from '../../../../src/infrastructure/database/connection-options.js';
import { UnitOfWork, type Tx } from '../../../../src/infrastructure/database/unit-of-work.js';
import { createDatabase, type TestDatabase } from '../../../support/database.js';
import { useFakeTimers, useRealTimers } from '../../../support/outside.js';
import { setUp } from '../../../support/set-up.js';
import { setUpWork } from '../../../support/set-up-work.js';
import { unique } from '../../../support/service.js';
import { startProxy } from '../../../support/tcp-proxy.js';
import { waitUntil } from '../../../support/wait-until.js';

const { jest } = import.meta;

const LIMIT_MS = 600_000;

/** Waits for as long as the test holds the lock with this number. */
const HANG = query(unique('tests.hang'), 'SELECT pg_advisory_xact_lock_shared(:lock)::text');
const COUNT_KEYS = query(unique('tests.count-keys'), 'SELECT count(*), :text::text FROM api_key');
const WHO = query<{ pid: number }>(unique('tests.who'), 'SELECT pg_backend_pid() AS pid, :text::text');

function connectTo(
  { url }: TestDatabase,
  statements: 'prepared' | 'plain',
  use?: ConnectionUse,
): Promise<DataSource> {
  const environment = { DATABASE_POOL_MAX: 2, DATABASE_STATEMENTS: statements };
  return new DataSource(dataSourceOptions(url, environment, use)).initialize();
}

describe('a query that is not answered in time', () => {
  let database: TestDatabase;
  let source: DataSource;
  let holder: pg.Client;

  async function open(statements: 'prepared' | 'plain', use = {}): Promise<UnitOfWork> {
    source = await connectTo(database, statements, use);
    return new UnitOfWork(source);
  }

  const hanging = async (): Promise<number[]> => {
    const rows = await database.sql<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`,
    );
    return rows.map(({ pid }) => pid);
  };

  beforeEach(async () => {
    database = await createDatabase();
    holder = await database.connect();
    await holder.query('SELECT pg_advisory_lock(1)');
    // Advances only the service's clock, so that PostgreSQL's own timeout is never reached.
    useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
  });
  afterEach(async () => {
    useRealTimers();
    await holder.end();
    await source.destroy();
    await database.drop();
  });

  const MODES = (['query', 'dryRun'] as const).flatMap((mode) =>
    (['prepared', 'plain'] as const).map((statements) => [mode, statements] as const),
  );
  it.each(MODES)('is ended at once with its connection: %s, %s (T4)', async (mode, statements) => {
    const work = await open(statements, { statementTimeoutMs: LIMIT_MS });
    const outcome = work[mode]((tx) => run(tx, HANG, { lock: 1 })).catch((error: unknown) => error);
    await waitUntil('it hangs', async () => (await hanging()).length === 1);
    const [pid] = await hanging();
    jest.advanceTimersByTime(LIMIT_MS + 1_000);
    expect(sqlState(await outcome)).toBe('ETIMEDOUT');
    const next = await work.query((tx) => runForOne(tx, WHO, { text: '' }));
    expect(next.pid).not.toBe(pid);
  });

  it('is left to PostgreSQL’s own timeout for one more second (T4)', async () => {
    const work = await open('prepared', { statementTimeoutMs: LIMIT_MS });
    let isGivenUp = false;
    const outcome = work
      .query((tx) => run(tx, HANG, { lock: 1 }))
      .catch((error: unknown) => {
        isGivenUp = true;
        return error;
      });
    await waitUntil('it hangs', async () => (await hanging()).length === 1);
    jest.advanceTimersByTime(LIMIT_MS + 999);
    expect(await hanging()).toHaveLength(1);
    expect(isGivenUp).toBe(false);
    jest.advanceTimersByTime(1);
    expect(sqlState(await outcome)).toBe('ETIMEDOUT');
  });

  it('has its own timeout, and the time between the queries of a transaction has none (T4)', async () => {
    const work = await open('prepared', { statementTimeoutMs: LIMIT_MS });
    await holder.query('SELECT pg_advisory_lock(2)');
    const answers = await work.write(async (tx) => {
      for (const lock of [1, 2]) {
        const answer = run(tx, HANG, { lock });
        await waitUntil('it hangs', async () => (await hanging()).length === 1);
        jest.advanceTimersByTime(0.6 * LIMIT_MS);
        await holder.query('SELECT pg_advisory_unlock($1)', [lock]);
        await answer;
      }
      jest.advanceTimersByTime(10 * LIMIT_MS);
      return run(tx, WHO, { text: '' });
    });
    expect(answers).toHaveLength(1);
  });

  it('is detected by TCP keep-alive on an idle connection (engineering rule)', async () => {
    const keepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
    await open('plain');
    expect(keepAlive.mock.calls).toEqual([[true, 10_000]]);
  });

  it('is waited for if no timeout is set, as for operator commands (engineering rule)', async () => {
    const work = await open('prepared');
    const answer = work.write((tx) => run(tx, HANG, { lock: 1 }));
    await waitUntil('it hangs', async () => (await hanging()).length === 1);
    jest.advanceTimersByTime(10 * LIMIT_MS);
    await holder.query('SELECT pg_advisory_unlock(1)');
    expect(await answer).toHaveLength(1);
  });
});

describe.each<[string, ConnectionUse, string[], string[]]>([
  ['on a single node', {}, ['40001', '40P01'], ['23503', '23505', '57014', 'P0001']],
  // An account may be erased after a query has seen it.
  ['on several nodes', { kind: 'coordinator' }, ['40001', '40P01', '23503'], ['23505', '57014', 'P0001']],
])('work that PostgreSQL rolls back, %s,', (_kind, use, lostRaces, ownErrors) => {
  const REFUSE = query(unique('tests.refuse'), 'SELECT refuse(:code)');
  const TRIES_MAX = 5;
  const database = setUp(createDatabase);
  const work = setUpWork(database, () => connectTo(database, 'prepared', use));
  beforeAll(() =>
    database.sql(`
      CREATE FUNCTION refuse(sqlstate text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'refused' USING ERRCODE = sqlstate;
      END $$`),
  );

  const ways: Record<string, <T>(doIt: (tx: Tx) => Promise<T>) => Promise<T>> = {
    'a transaction': (doIt) => work.write(doIt),
    'a single query': (doIt) => work.query(doIt),
    'a dry run': (doIt) => work.dryRun(doIt),
  };

  /** Do work that is refused a number of times. @returns the answer or the final SQLSTATE, and the number of attempts */
  async function refused(
    way: string,
    code: string,
    times: number,
  ): Promise<[outcome: unknown, tries: number]> {
    let tries = 0;
    const outcome = await ways[way]!(async (tx) => {
      tries += 1;
      if (tries <= times) await run(tx, REFUSE, { code });
      return 'done';
    }).catch((error: unknown) => sqlState(error));
    return [outcome, tries];
  }

  it.each(Object.keys(ways).flatMap((way) => lostRaces.map((code) => [way, code] as const)))(
    'because of another transaction is retried, with five attempts in all: %s, %s (section 4)',
    async (way, code) => {
      expect(await refused(way, code, TRIES_MAX - 1)).toEqual(['done', TRIES_MAX]);
      expect(await refused(way, code, TRIES_MAX)).toEqual([code, TRIES_MAX]);
    },
  );

  it.each(Object.keys(ways))(
    'because of its own error is not retried: %s (engineering rule)',
    async (way) => {
      for (const code of ownErrors) expect(await refused(way, code, 1)).toEqual([code, 1]);
    },
  );
});

describe('a transaction whose connection is lost between two queries', () => {
  const ADMIN_SHUTDOWN = '57P01';
  const database = setUp(createDatabase);
  const work = setUpWork(database, () => connectTo(database, 'prepared'));

  /** Terminate the connection of a transaction from outside, and wait until the client has noticed. */
  async function loseConnection(tx: Tx): Promise<void> {
    const connection = (await tx.queryRunner!.connect()) as pg.PoolClient;
    const { pid } = await runForOne(tx, WHO, { text: '' });
    const ended = new Promise((resolve) => connection.once('end', resolve));
    await database.sql('SELECT pg_terminate_backend($1::integer)', [pid]);
    await ended;
  }

  const ways: Record<string, <T>(doIt: (tx: Tx) => Promise<T>) => Promise<T>> = {
    'that is stored': (doIt) => work.write(doIt),
    'of a dry run': (doIt) => work.dryRun(doIt),
  };

  it.each(Object.keys(ways))(
    '%s reports how the connection was lost, not only that it is unusable (T4, R1)',
    async (way) => {
      const failure = await ways[way]!(async (tx) => {
        await loseConnection(tx);
        return run(tx, WHO, { text: '' });
      }).catch((error: unknown) => error);
      expect(sqlState(failure)).toBe(ADMIN_SHUTDOWN);
      expect(fromDatabase(failure)?.code).toBe('service_unavailable');
    },
  );

  it('reports this at its commit (T4)', async () => {
    const failure = await work.write(loseConnection).catch((error: unknown) => error);
    expect(sqlState(failure)).toBe(ADMIN_SHUTDOWN);
    expect(fromDatabase(failure)?.code).toBe('service_unavailable');
  });

  it('answers a dry run, which the loss rolls back (R1)', async () => {
    const answer = work.dryRun(async (tx) => {
      await loseConnection(tx);
      return 'the answer';
    });
    expect(await answer).toBe('the answer');
  });

  it('reports the error of the work itself (engineering rule)', async () => {
    const refusal = new Error('It is refused.');
    const outcome = work.write(async (tx) => {
      await loseConnection(tx);
      throw refusal;
    });
    await expect(outcome).rejects.toBe(refusal);
  });
});

describe('a connection that is lost while it is handed over', () => {
  const environment = { DATABASE_POOL_MAX: 1, DATABASE_STATEMENTS: 'prepared' } as const;
  const database = setUp(createDatabase);
  const proxy = setUp(() => startProxy(database.url));
  const work = setUpWork(database, () =>
    new DataSource(dataSourceOptions(proxy.through(database.url), environment)).initialize(),
  );

  it('does not end the process, and reports how it was lost (T4, R1)', async () => {
    const release = await database.lock('api_key');
    const first = work.query((tx) => run(tx, COUNT_KEYS, { text: '' }));
    const [pid] = await database.blocked(1);
    const second = work.dryRun((tx) => run(tx, WHO, { text: '' })).catch((error: unknown) => error);
    // The answer, the ready message and the end of the connection arrive together.
    proxy.hold();
    await release();
    await waitUntil('it is free', async () => (await stateOf(pid!)) === 'idle');
    await database.sql('SELECT pg_terminate_backend($1::integer)', [pid]);
    expect(await first).toHaveLength(1);
    expect(sqlState(await second)).toBe('57P01');
    expect(await work.dryRun((tx) => run(tx, WHO, { text: '' }))).toHaveLength(1);
  });

  async function stateOf(pid: number): Promise<string | undefined> {
    const [row] = await database.sql<{ state: string }>('SELECT state FROM pg_stat_activity WHERE pid = $1', [
      pid,
    ]);
    return row?.state;
  }
});
