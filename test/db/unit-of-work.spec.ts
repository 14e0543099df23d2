import { Socket } from 'node:net';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { isUnanswered } from '../../src/common/sql-state.js';
import { run, runForOne, statement } from '../../src/database/statement.js';
import { UnitOfWork, type LoadMode } from '../../src/database/unit-of-work.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { waitUntil } from '../support/wait-until.js';

const { jest } = import.meta;

const LIMIT_MS = 600_000;

/** Hangs for as long as the test holds the lock. */
const HANG = statement('tests.hang', 'SELECT pg_advisory_xact_lock_shared(1)::text, $1::text');
const WHO = statement<{ pid: number }>('tests.who', 'SELECT pg_backend_pid() AS pid, $1::text');

describe('a statement that is not answered in time', () => {
  let database: TestDatabase;
  let source: DataSource;
  let holder: pg.Client;

  async function open(statements: 'prepared' | 'plain', use = {}): Promise<UnitOfWork> {
    const environment = { DATABASE_POOL_MAX: 2, DATABASE_STATEMENTS: statements };
    source = await new DataSource(dataSourceOptions(database.url, environment, use)).initialize();
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
    holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(1)');
    // Only the clock of the service is put forward: PostgreSQL itself never finds that too much time has passed.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date'] });
  });
  afterEach(async () => {
    jest.useRealTimers();
    await holder.end();
    await source.destroy();
    await database.drop();
  });

  it.each<[LoadMode, 'prepared' | 'plain']>([
    ['store', 'prepared'],
    ['store', 'plain'],
    ['dry_run', 'prepared'],
    ['dry_run', 'plain'],
  ])('is given up at once with its connection: %s, %s (T4)', async (mode, statements) => {
    const work = await open(statements, { statementTimeoutMs: LIMIT_MS });
    const outcome = work.load(mode, (tx) => run(tx, HANG, [''])).catch((error: unknown) => error);
    await waitUntil('it hangs', async () => (await hanging()).length === 1);
    const [pid] = await hanging();
    jest.advanceTimersByTime(LIMIT_MS + 1_000);
    expect(isUnanswered(await outcome)).toBe(true);
    const next = await work.single((tx) => runForOne(tx, WHO, ['']));
    expect(next.pid).not.toBe(pid);
  });

  it('is looked for on a connection that says nothing, by TCP (house rule)', async () => {
    const keepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
    await open('plain');
    expect(keepAlive.mock.calls).toEqual([[true, 10_000]]);
    keepAlive.mockRestore();
  });

  it('is waited for where no limit is set, as for the operators’ commands (house rule)', async () => {
    const work = await open('prepared');
    const answer = work.write((tx) => run(tx, HANG, ['']));
    await waitUntil('it hangs', async () => (await hanging()).length === 1);
    jest.advanceTimersByTime(10 * LIMIT_MS);
    await holder.query('SELECT pg_advisory_unlock(1)');
    expect(await answer).toHaveLength(1);
  });
});
