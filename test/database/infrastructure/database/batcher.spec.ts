import type pg from 'pg';
import { DataSource, QueryFailedError } from 'typeorm';
import { dataSourceOptions } from '../../../../src/apps/data-source.js';
import { Batcher, type SharedQuery } from '../../../../src/infrastructure/database/batcher.js';
import { run, query as defineQuery } from '../../../../src/infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../../../../src/infrastructure/database/unit-of-work.js';
import { createDatabase, type TestDatabase } from '../../../support/database.js';
import { useFakeTimers, useRealTimers } from '../../../support/outside.js';
import { unique } from '../../../support/service.js';
import { waitUntil } from '../../../support/wait-until.js';

const { jest } = import.meta;

/** The longest time that a request waits for others, in milliseconds (decision 26). */
const WAIT_MS_MAX = 20;

interface TestRequest {
  readonly id: string;
  readonly rows?: number;
  readonly group?: number;
  readonly owner?: string;
  /** The query waits for as long as the test holds this lock. */
  readonly lock?: number;
  /** SQLSTATE with which PostgreSQL rejects the request. */
  readonly fault?: string;
}

/** The answer to a request: its id, and the transaction that stored it. */
interface Answer {
  readonly id: string;
  readonly xact: string;
}

const STORE = defineQuery<Answer & { position: number }>(
  unique('tests.store_requests'),
  `WITH request AS MATERIALIZED (
     SELECT *
       FROM unnest(:ids::text[], :locks::bigint[], :faults::text[]) WITH ORDINALITY AS r (id, lock, fault, position)
   ),
   stored AS (
     INSERT INTO stored_request (id) SELECT request.id FROM request ORDER BY request.position RETURNING id
   ),
   held AS MATERIALIZED (
     SELECT request.position, pg_advisory_xact_lock_shared(request.lock)::text AS lock
       FROM request
      WHERE request.lock IS NOT NULL
   ),
   rejected AS MATERIALIZED (
     SELECT request.position, reject(request.fault) AS fault
       FROM request
      WHERE request.fault IS NOT NULL AND (SELECT count(held.lock) FROM held) >= 0
   )
   SELECT request.position::integer AS position, request.id, pg_current_xact_id()::text AS xact
     FROM request
    WHERE (SELECT count(held.lock) FROM held) + (SELECT count(rejected.fault) FROM rejected) >= 0
    ORDER BY request.position`,
);

/** Stores requests, and records which of them shared a query. */
class TestQuery implements SharedQuery<TestRequest, Answer> {
  readonly queries: string[][] = [];

  rowsOf({ rows = 1 }: TestRequest): number {
    return rows;
  }

  ownerOf({ owner }: TestRequest): string | undefined {
    return owner;
  }

  async execute(tx: Tx, group: number, requests: readonly TestRequest[]): Promise<Answer[]> {
    expect(requests.map((request) => request.group ?? 1)).toEqual(requests.map(() => group));
    this.queries.push(requests.map(({ id }) => id));
    const rows = await run(tx, STORE, {
      ids: requests.map(({ id }) => id),
      locks: requests.map(({ lock }) => lock),
      faults: requests.map(({ fault }) => fault),
    });
    return rows.map(({ id, xact }) => ({ id, xact }));
  }
}

describe('requests that wait at the same time', () => {
  let database: TestDatabase;
  let source: DataSource;
  let holder: pg.Client;
  let lastLock = 0;

  beforeAll(async () => {
    database = await createDatabase();
    await database.sql(`CREATE TABLE stored_request (id text NOT NULL)`);
    await database.sql(`
      CREATE FUNCTION reject(code text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        RAISE EXCEPTION 'rejected' USING ERRCODE = code;
      END $$`);
    source = new DataSource(
      dataSourceOptions(database.url, { DATABASE_POOL_MAX: 12, DATABASE_STATEMENTS: 'prepared' }),
    );
    await source.initialize();
    holder = await database.connect();
  });
  afterAll(async () => {
    await holder.end();
    await source.destroy();
    await database.drop();
  });

  // Fake timers: how long a request has waited must not depend on the load of the machine.
  beforeEach(() => {
    const real = [
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'Date',
      'hrtime',
    ] as const;
    useFakeTimers({ doNotFake: [...real, 'nextTick', 'queueMicrotask'] });
  });
  afterEach(async () => {
    useRealTimers();
    await letGoAll();
  });

  /** A batcher, with a record of the requests that shared each query. */
  function start({ dataSource = source } = {}): {
    readonly store: (request: TestRequest) => Promise<Answer>;
    readonly queries: () => string[][];
  } {
    const query = new TestQuery();
    const batcher = new Batcher(new UnitOfWork(dataSource), query);
    return {
      store: (request) => batcher.enqueue(request.group ?? 1, request),
      queries: () => query.queries,
    };
  }

  /** Wait until the requests of this iteration of the event loop have been sent, if they are sent at once. */
  const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** Take a lock on another connection. @returns its number, and a function that releases it */
  async function hold(): Promise<{ readonly lock: number; readonly letGo: () => Promise<unknown> }> {
    lastLock += 1;
    const lock = lastLock;
    await holder.query('SELECT pg_advisory_lock($1)', [lock]);
    return { lock, letGo: () => holder.query('SELECT pg_advisory_unlock($1)', [lock]) };
  }

  const letGoAll = (): Promise<unknown> => holder.query('SELECT pg_advisory_unlock_all()');

  /** PostgreSQL processes that wait for a lock of {@link hold}. */
  const hanging = async (): Promise<number[]> => {
    const rows = await database.sql<{ pid: number }>(
      `SELECT l.pid
         FROM pg_locks l
         JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
        WHERE l.locktype = 'advisory' AND NOT l.granted
        ORDER BY l.pid`,
    );
    return rows.map(({ pid }) => pid);
  };
  const untilHanging = (count: number): Promise<void> =>
    waitUntil(`${count} queries hang`, async () => (await hanging()).length === count);

  /** How often each request was stored. */
  const stored = async (ids: readonly string[]): Promise<number[]> => {
    const rows = await database.sql<{ count: number }>(
      `SELECT count(r.id)::integer AS count
         FROM unnest($1::text[]) WITH ORDINALITY AS a (id, position)
         LEFT JOIN stored_request r USING (id)
        GROUP BY a.position
        ORDER BY a.position`,
      [ids],
    );
    return rows.map(({ count }) => count);
  };

  /** Send four large requests, each in its own waiting query: the maximum number of concurrent queries. */
  async function fillUp(store: (request: TestRequest) => Promise<Answer>): Promise<{
    readonly answers: Promise<Answer>[];
    readonly letGoOne: () => Promise<unknown>;
    readonly letGo: () => Promise<unknown>;
  }> {
    const answers: Promise<Answer>[] = [];
    let letGoOne: () => Promise<unknown> = letGoAll;
    for (let count = 1; count <= 4; count += 1) {
      const held = await hold();
      answers.push(store({ id: `large ${count}`, rows: 80, lock: held.lock }));
      letGoOne = held.letGo;
      await nextIteration();
    }
    return { answers, letGoOne, letGo: letGoAll };
  }

  it('are sent at once when nothing runs', async () => {
    const { store, queries } = start();
    const answer = store({ id: 'alone' });
    await nextIteration();
    expect(queries()).toEqual([['alone']]);
    expect(await answer).toMatchObject({ id: 'alone' });
  });

  it('wait for the running query, and share the next', async () => {
    const { store, queries } = start();
    const { lock, letGo } = await hold();
    const first = store({ id: 'first', lock });
    await untilHanging(1);
    const waiting = [];
    for (const id of ['a', 'b', 'c']) {
      waiting.push(store({ id }));
      await nextIteration();
    }
    expect(queries()).toEqual([['first']]);
    await letGo();
    const [{ xact }, ...others] = await Promise.all([first, ...waiting]);
    expect(queries()).toEqual([['first'], ['a', 'b', 'c']]);
    expect(others.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(new Set(others.map((other) => other.xact)).size).toBe(1);
    expect(others[0]!.xact).not.toBe(xact);
  });

  it('neither share a query with another group nor wait for it', async () => {
    const { store, queries } = start();
    const { lock, letGo } = await hold();
    const first = store({ id: 'first', lock });
    await untilHanging(1);
    const waiting = store({ id: 'a' });
    expect(await Promise.all([store({ id: 'b', group: 2 }), store({ id: 'c', group: 3 })])).toMatchObject([
      { id: 'b' },
      { id: 'c' },
    ]);
    expect(queries()).toEqual([['first'], ['b'], ['c']]);
    await letGo();
    await Promise.all([first, waiting]);
    expect(queries()).toEqual([['first'], ['b'], ['c'], ['a']]);
  });

  it('share a query with at most fifteen others', async () => {
    const { store, queries } = start();
    await Promise.all(Array.from({ length: 40 }, (_, n) => store({ id: `request ${n}` })));
    expect(queries().map((ids) => ids.length)).toEqual([16, 16, 8]);
  });

  it('stop waiting when they have about 80 rows together', async () => {
    const { store, queries } = start();
    const { lock, letGo } = await hold();
    const first = store({ id: 'first', lock });
    await nextIteration();
    const waiting = [store({ id: 'a', rows: 30 })];
    await nextIteration();
    waiting.push(store({ id: 'b', rows: 49 }));
    await nextIteration();
    expect(queries()).toEqual([['first']]);
    waiting.push(store({ id: 'c' }));
    await Promise.all(waiting);
    expect(queries()).toEqual([['first'], ['a', 'b', 'c']]);
    await letGo();
    await first;
  });

  it('have at most four concurrent queries, however many rows they have', async () => {
    const { store, queries } = start();
    const { answers, letGoOne, letGo } = await fillUp(store);
    await untilHanging(4);
    const fifth = store({ id: 'fifth', rows: 80 });
    await nextIteration();
    expect(queries()).toHaveLength(4);
    await letGoOne();
    expect(await fifth).toMatchObject({ id: 'fifth' });
    await letGo();
    await Promise.all(answers);
    expect(queries().at(-1)).toEqual(['fifth']);
  });

  it('get one more query after waiting 20 ms, and not sooner', async () => {
    const { store, queries } = start();
    const { answers, letGo } = await fillUp(store);
    const late = [store({ id: 'a', rows: 80 }), store({ id: 'b' })];
    await nextIteration();
    jest.advanceTimersByTime(WAIT_MS_MAX - 1);
    expect(queries()).toHaveLength(4);
    jest.advanceTimersByTime(1);
    expect((await Promise.all(late)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(queries().slice(4)).toEqual([['a', 'b']]);
    expect(await hanging()).toHaveLength(4);
    await letGo();
    await Promise.all(answers);
  });

  it('share a query only with requests of the same owner', async () => {
    const { store, queries } = start();
    const [a, b] = ['a', 'b'];
    await Promise.all([
      store({ id: 'a 1', owner: a }),
      store({ id: 'b 1', owner: b }),
      store({ id: 'a 2', owner: a }),
    ]);
    expect(queries()).toEqual([['a 1', 'a 2'], ['b 1']]);
  });

  it('wait while their owner uses all its connections, and then share the next query', async () => {
    const { store, queries } = start();
    const owner = 'a';
    const held = await hold();
    // In a pool of 12, nine connections are shared among owners, and one owner may have six of them.
    const running = Array.from({ length: 6 }, (_, n) =>
      store({ id: `running ${n}`, owner, group: 10 + n, lock: held.lock }),
    );
    await untilHanging(6);
    const waiting = [store({ id: 'a 1', owner, rows: 80 })];
    await nextIteration();
    waiting.push(store({ id: 'a 2', owner, rows: 80 }));
    jest.advanceTimersByTime(WAIT_MS_MAX);
    await nextIteration();
    expect(await store({ id: 'b', owner: 'b' })).toMatchObject({ id: 'b' });
    expect(queries().slice(6)).toEqual([['b']]);
    await held.letGo();
    await Promise.all([...running, ...waiting]);
    expect(queries().slice(6)).toEqual([['b'], ['a 1', 'a 2']]);
  });

  it('wait for their owner’s connections when they are tried alone', async () => {
    const { store } = start();
    const ids = Array.from({ length: 12 }, (_, n) => unique(`alone ${n}`));
    const { lock, letGo } = await hold();
    const answers = ids.map((id) => store({ id, owner: 'a', lock }));
    await untilHanging(1);
    const [pid] = await hanging();
    await database.sql('SELECT pg_cancel_backend($1::integer)', [pid]);
    await untilHanging(6);
    await letGo();
    expect((await Promise.all(answers)).map(({ id }) => id)).toEqual(ids);
    expect(await stored(ids)).toEqual(ids.map(() => 1));
  });

  it('share a query of up to 1,000 rows, and smaller requests may overtake one that does not fit', async () => {
    const { store, queries } = start();
    const { answers, letGo } = await fillUp(store);
    const waiting = [
      store({ id: 'a', rows: 500 }),
      store({ id: 'b', rows: 400 }),
      store({ id: 'c', rows: 101 }),
      store({ id: 'd', rows: 100 }),
      store({ id: 'e', rows: 1 }),
    ];
    await letGo();
    await Promise.all([...answers, ...waiting]);
    expect(queries().slice(4)).toEqual([
      ['a', 'b', 'd'],
      ['c', 'e'],
    ]);
  });

  /** Send three requests that share a query, of which the middle one is rejected. */
  async function withFault(fault: string): Promise<{
    readonly ids: string[];
    readonly outcomes: PromiseSettledResult<Answer>[];
    readonly queries: string[][];
  }> {
    const { store, queries } = start();
    const ids = ['good', 'guilty', 'well'].map((name) => unique(name));
    const [good, guilty, well] = ids as [string, string, string];
    const outcomes = await Promise.allSettled([
      store({ id: good }),
      store({ id: guilty, fault }),
      store({ id: well }),
    ]);
    return { ids, outcomes, queries: queries() };
  }

  it.each([
    ['its number of rows', '21000'],
    ['its data', '22003'],
    ['a constraint', '23514'],
    ['a trigger', 'P0001'],
    ['its time, because of a lock', '57014'],
    ['a lock’s own time', '55P03'],
  ])('are answered when PostgreSQL rejects another for %s, and stored once', async (_what, fault) => {
    const { ids, outcomes, queries } = await withFault(fault);
    const [good, guilty, well] = ids;
    expect(queries).toEqual([ids, [good], [guilty], [well]]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: { id: good } },
      { status: 'rejected', reason: { driverError: { code: fault } } },
      { status: 'fulfilled', value: { id: well } },
    ]);
    expect((outcomes[1] as PromiseRejectedResult).reason).toBeInstanceOf(QueryFailedError);
    expect(await stored(ids)).toEqual([1, 0, 1]);
  });

  it('are answered while another one, tried alone, still waits for its lock', async () => {
    const { store } = start();
    const { lock, letGo } = await hold();
    const ids = ['good', 'waiting', 'well'].map((name) => unique(name));
    const [good, waiting, well] = ids.map((id, index) => store({ id, ...(index === 1 && { lock }) }));
    await untilHanging(1);
    const [pid] = await hanging();
    await database.sql('SELECT pg_cancel_backend($1::integer)', [pid]);
    expect(await Promise.all([good, well])).toMatchObject([{ id: ids[0] }, { id: ids[2] }]);
    await letGo();
    expect(await waiting).toMatchObject({ id: ids[1] });
    expect(await stored(ids)).toEqual([1, 1, 1]);
  });

  it.each([
    ['is out of memory', '53200'],
    ['has an error of its own', 'XX000'],
  ])('all fail when PostgreSQL %s, and nothing is sent again', async (_what, fault) => {
    const { ids, outcomes, queries } = await withFault(fault);
    expect(queries).toEqual([ids]);
    const failed = { status: 'rejected', reason: { driverError: { code: fault } } };
    expect(outcomes).toMatchObject([failed, failed, failed]);
    expect(await stored(ids)).toEqual([0, 0, 0]);
  });

  it('all fail with a connection that was lost, nothing is sent again, and later ones are answered', async () => {
    const { store, queries } = start();
    const { lock, letGo } = await hold();
    const ids = ['a', 'b', 'c'].map((name) => unique(name));
    const answers = Promise.allSettled(ids.map((id, index) => store({ id, ...(index === 1 && { lock }) })));
    await untilHanging(1);
    const [pid] = await hanging();
    await database.sql('SELECT pg_terminate_backend($1::integer)', [pid]);
    const outcomes = await answers;
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await store({ id: 'later' })).toMatchObject({ id: 'later' });
    expect(queries()).toEqual([ids, ['later']]);
    await letGo();
    expect(await stored(ids)).toEqual([0, 0, 0]);
  });

  it('all fail when an answer does not come in time, nothing is sent again, and later ones are answered', async () => {
    const statementTimeoutMs = 600_000;
    const environment = { DATABASE_POOL_MAX: 2, DATABASE_STATEMENTS: 'prepared' } as const;
    const limited = new DataSource(dataSourceOptions(database.url, environment, { statementTimeoutMs }));
    await limited.initialize();
    const { store, queries } = start({ dataSource: limited });
    const { lock, letGo } = await hold();
    const ids = ['a', 'b', 'c'].map((name) => unique(name));
    const answers = Promise.allSettled(ids.map((id, index) => store({ id, ...(index === 1 && { lock }) })));
    await untilHanging(1);
    jest.advanceTimersByTime(statementTimeoutMs + 1_000);
    const failed = { status: 'rejected', reason: { driverError: { code: 'ETIMEDOUT' } } };
    expect(await answers).toMatchObject([failed, failed, failed]);
    expect(await store({ id: 'later' })).toMatchObject({ id: 'later' });
    expect(queries()).toEqual([ids, ['later']]);
    await letGo();
    await limited.destroy();
  });
});
