import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../../src/apps/data-source.js';
import { query, run, runForOne } from '../../../../src/infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../../../../src/infrastructure/database/unit-of-work.js';
import { createDatabase, type TestDatabase } from '../../../support/database.js';
import { startProxy } from '../../../support/tcp-proxy.js';
import { waitUntil } from '../../../support/wait-until.js';

const ENVIRONMENT = { DATABASE_POOL_MAX: 4, DATABASE_STATEMENTS: 'prepared' } as const;
const WHO = query<{ pid: number }>('tests.pool-who', 'SELECT pg_backend_pid() AS pid, :text::text');
const WRITE = query('tests.pool-write', `INSERT INTO organisation (name) VALUES (:name)`);

describe('the connections of a process', () => {
  let database: TestDatabase;
  let source: DataSource | undefined;

  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(async () => {
    await source?.destroy();
    source = undefined;
    await database.drop();
  });

  async function open(url: string, statementTimeoutMs?: number): Promise<UnitOfWork> {
    const use = statementTimeoutMs === undefined ? {} : { statementTimeoutMs };
    source = await new DataSource(dataSourceOptions(url, ENVIRONMENT, use)).initialize();
    return new UnitOfWork(source);
  }

  const readOnly = (value: 'on' | 'off'): Promise<unknown> =>
    database.sql(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only = ${value}`,
    );
  const pidOf = (tx: Tx): Promise<number> => runForOne(tx, WHO, { text: '' }).then(({ pid }) => pid);
  const pidsOf = async (work: UnitOfWork, count: number): Promise<Set<number>> =>
    new Set(await Promise.all(Array.from({ length: count }, () => work.query(pidOf))));

  it('are all replaced when the server no longer accepts changes, and the work is repeated (O7)', async () => {
    await readOnly('on');
    const work = await open(database.url);
    const before = await pidsOf(work, 4);
    expect(before.size).toBe(4);
    await readOnly('off');
    // A transaction in progress completes normally, and its connection is closed afterwards.
    const during = await work.write(async (tx) => {
      const pid = await pidOf(tx);
      await work.write((other) => run(other, WRITE, { name: 'x' }));
      expect(await pidOf(tx)).toBe(pid);
      return pid;
    });
    expect(before).toContain(during);
    const after = await pidsOf(work, 4);
    expect([...after].filter((pid) => before.has(pid))).toEqual([]);
    expect(await database.sql('SELECT FROM organisation')).toHaveLength(1);
    await waitUntil('the old connections are closed', async () => {
      const open = await database.sql('SELECT FROM pg_stat_activity WHERE pid = ANY ($1)', [[...before]]);
      return open.length === 0;
    });
  });

  it('are all closed when one times out, because another server may be at the address now (O7)', async () => {
    const proxy = await startProxy(database.url);
    try {
      const work = await open(proxy.through(database.url), 250);
      expect((await pidsOf(work, 4)).size).toBe(4);
      expect(proxy.silence()).toBe(4);
      const silent = work.query((tx) => run(tx, WHO, { text: '' }));
      await expect(silent).rejects.toMatchObject({ driverError: { code: 'ETIMEDOUT' } });
      expect((await pidsOf(work, 4)).size).toBe(4);
    } finally {
      await proxy.cut();
    }
  });
});
