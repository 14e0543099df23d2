import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../../src/apps/data-source.js';
import { isUnavailable, isWithoutConnection } from '../../../../src/infrastructure/errors/sql-state.js';
import { runArriving } from '../../../../src/infrastructure/database/arriving-rows.js';
import { query, run } from '../../../../src/infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../../../../src/infrastructure/database/unit-of-work.js';
import { createDatabase } from '../../../support/database.js';
import { unique } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';

const NUMBERS = query<{ n: number; text: string }>(
  unique('tests.numbers'),
  `SELECT n, repeat('x', 1000) AS text FROM generate_series(1, :count::integer) AS n`,
);
const FAILING = query<{ n: number }>(
  unique('tests.failing'),
  'SELECT n, 1 / (5000 - n) AS quotient FROM generate_series(1, :count::integer) AS n',
);
const PREPARED = query<{ count: number }>(
  unique('tests.prepared'),
  'SELECT count(*)::integer AS count FROM pg_prepared_statements WHERE name = :name',
);

describe.each(['prepared', 'plain'] as const)('rows as they arrive (%s)', (statements) => {
  const database = setUp(createDatabase);
  const dataSource = setUp(() => {
    const settings = { DATABASE_POOL_MAX: 2, DATABASE_STATEMENTS: statements };
    return new DataSource(dataSourceOptions(database.url, settings)).initialize();
  });
  const work = setUp(() => Promise.resolve(new UnitOfWork(dataSource)));

  async function numbers(tx: Tx, count: number): Promise<number[][]> {
    const lists: number[][] = [];
    for await (const rows of runArriving(tx, NUMBERS, { count })) lists.push(rows.map(({ n }) => n));
    return lists;
  }

  it.each([0, 1, 5_000])('are all there, in order: %d', async (count) => {
    const lists = await work.query((tx) => numbers(tx, count));
    expect(lists.flat()).toEqual(Array.from({ length: count }, (_, n) => n + 1));
    if (count === 5_000) expect(lists.length).toBeGreaterThan(10);
    expect(work.connections).toMatchObject({ used: 0 });
  });

  it('are read in a transaction whose connection remains usable', async () => {
    const answers = await work.write(async (tx) => [
      (await numbers(tx, 2_000)).flat().length,
      (await run(tx, PREPARED, { name: NUMBERS.name }))[0]?.count,
      (await numbers(tx, 3)).flat().length,
    ]);
    expect(answers).toEqual([2_000, statements === 'prepared' ? 1 : 0, 3]);
  });

  it('end with the error of the query, which names it', async () => {
    let seen = 0;
    const reading = work.query(async (tx) => {
      for await (const rows of runArriving(tx, FAILING, { count: 9_000 })) seen += rows.length;
    });
    await expect(reading).rejects.toMatchObject({ queryName: FAILING.name, message: 'division by zero' });
    expect(seen).toBe(4_999);
    expect((await work.query((tx) => numbers(tx, 3))).flat()).toEqual([1, 2, 3]);
    expect(work.connections).toMatchObject({ used: 0 });
  });

  it('are no longer read when the reader stops or fails, and the connection is closed', async () => {
    for (const failure of [undefined, new Error('As it happens.')]) {
      const reading = work.query(async (tx) => {
        for await (const [first] of runArriving(tx, NUMBERS, { count: 200_000 })) {
          if (failure) throw failure;
          return first?.n;
        }
        return undefined;
      });
      if (failure) await expect(reading).rejects.toBe(failure);
      else expect(await reading).toBe(1);
      expect((await work.query((tx) => numbers(tx, 3))).flat()).toEqual([1, 2, 3]);
      expect(work.connections).toMatchObject({ used: 0 });
    }
  });

  it('end with an error when the connection is lost', async () => {
    const reading = work.query(async (tx) => {
      let count = 0;
      for await (const rows of runArriving(tx, NUMBERS, { count: 200_000 })) {
        if (count === 0) {
          await database.sql(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
          );
        }
        count += rows.length;
      }
    });
    const error: unknown = await reading.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ queryName: NUMBERS.name });
    expect(isWithoutConnection(error) || isUnavailable(error)).toBe(true);
    expect((await work.query((tx) => numbers(tx, 3))).flat()).toEqual([1, 2, 3]);
  });

  it('wait while the reader is busy, so that little is in memory (V2)', async () => {
    expect(await work.query((tx) => slowReader(tx))).toBeLessThan(1_000);
  });

  /** The largest number of rows in one list for a slow reader. */
  async function slowReader(tx: Tx): Promise<number> {
    let most = 0;
    for await (const rows of runArriving(tx, NUMBERS, { count: 20_000 })) {
      most = Math.max(most, rows.length);
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    }
    return most;
  }
});
