import pg from 'pg';
import { DataSource, QueryFailedError } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { Batcher, type BatcherRules } from '../../src/database/batcher.js';
import { run, query } from '../../src/database/query.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { unique } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const { jest } = import.meta;

/** Nobody waits longer for others, in milliseconds (decision 7). */
const WAIT_MS_MAX = 20;

interface Ask {
  readonly id: string;
  readonly rows?: number;
  readonly group?: string;
  readonly key?: string;
  /** Hangs its statement for as long as the test holds this lock. */
  readonly lock?: number;
  /** SQLSTATE with which PostgreSQL refuses it. */
  readonly fault?: string;
}

/** What a statement answers of an ask: whose it was, and which transaction stored it. */
interface Answer {
  readonly id: string;
  readonly xact: string;
}

const STORE = query<Answer & { position: number }>(
  'tests.store_asked',
  `WITH asked AS MATERIALIZED (
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[]) WITH ORDINALITY AS a (id, lock, fault, position)
   ),
   stored AS (
     INSERT INTO told (id) SELECT asked.id FROM asked ORDER BY asked.position RETURNING id
   ),
   held AS MATERIALIZED (
     SELECT asked.position, pg_advisory_xact_lock_shared(asked.lock)::text AS lock FROM asked WHERE asked.lock IS NOT NULL
   ),
   refused AS MATERIALIZED (
     SELECT asked.position, refuse(asked.fault) AS fault
       FROM asked
      WHERE asked.fault IS NOT NULL AND (SELECT count(held.lock) FROM held) >= 0
   )
   SELECT asked.position::integer AS position, asked.id, pg_current_xact_id()::text AS xact
     FROM asked
    WHERE (SELECT count(held.lock) FROM held) + (SELECT count(refused.fault) FROM refused) >= 0
    ORDER BY asked.position DESC`,
);

describe('asks that wait at the same time', () => {
  let database: TestDatabase;
  let source: DataSource;
  let holder: pg.Client;
  let lastLock = 0;

  beforeAll(async () => {
    database = await createDatabase();
    await database.sql(`CREATE TABLE told (id text NOT NULL)`);
    await database.sql(`
      CREATE FUNCTION refuse(code text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        RAISE EXCEPTION 'refused' USING ERRCODE = code;
      END $$`);
    source = new DataSource(
      dataSourceOptions(database.url, { DATABASE_POOL_MAX: 12, DATABASE_STATEMENTS: 'prepared' }),
    );
    await source.initialize();
    holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
  });
  afterAll(async () => {
    await holder.end();
    await source.destroy();
    await database.drop();
  });

  // Time stands still unless a test lets it pass: how long an ask has waited is then no question of the machine's load.
  beforeEach(() => {
    const real = [
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'Date',
      'hrtime',
    ] as const;
    jest.useFakeTimers({ doNotFake: [...real, 'nextTick', 'queueMicrotask'] });
  });
  afterEach(async () => {
    jest.useRealTimers();
    await letGoAll();
  });

  /** Asks, and the record of which of them went together. */
  function start(
    rules: Partial<BatcherRules<Ask, Answer>> = {},
    dataSource = source,
  ): {
    readonly ask: (ask: Ask) => Promise<Answer>;
    readonly statements: () => string[][];
  } {
    const sent: string[][] = [];
    const batches = new Batcher<Ask, Answer>(new UnitOfWork(dataSource), {
      run: async (tx, asks) => {
        sent.push(asks.map(({ id }) => id));
        const rows = await run(tx, STORE, [
          asks.map(({ id }) => id),
          asks.map(({ lock }) => lock),
          asks.map(({ fault }) => fault),
        ]);
        // They come in the reverse order, as those of any statement may.
        const rowAt = new Map(rows.map(({ position, ...answer }) => [position, answer]));
        return asks.map((_ask, index) => rowAt.get(index + 1)!);
      },
      rowsOf: ({ rows = 1 }) => rows,
      groupOf: ({ group = 'one' }) => group,
      ...rules,
    });
    return { ask: (ask) => batches.ask(ask), statements: () => sent };
  }

  /** Those that were asked in this turn of the event loop have been taken, if they were to be taken at once. */
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** A lock that another connection holds. @returns its number, and what lets it go */
  async function hold(): Promise<{ readonly lock: number; readonly letGo: () => Promise<unknown> }> {
    lastLock += 1;
    const lock = lastLock;
    await holder.query('SELECT pg_advisory_lock($1)', [lock]);
    return { lock, letGo: () => holder.query('SELECT pg_advisory_unlock($1)', [lock]) };
  }

  const letGoAll = (): Promise<unknown> => holder.query('SELECT pg_advisory_unlock_all()');

  /** Processes of PostgreSQL that wait for a lock of {@link hold}. */
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
    waitUntil(`${count} statements hang`, async () => (await hanging()).length === count);

  /** How often each was stored. */
  const stored = async (ids: readonly string[]): Promise<number[]> => {
    const rows = await database.sql<{ count: number }>(
      `SELECT count(told.id)::integer AS count
         FROM unnest($1::text[]) WITH ORDINALITY AS a (id, position)
         LEFT JOIN told USING (id)
        GROUP BY a.position
        ORDER BY a.position`,
      [ids],
    );
    return rows.map(({ count }) => count);
  };

  /** Four large asks, each in a statement of its own that hangs: as many as run at a time. */
  async function fillUp(ask: (ask: Ask) => Promise<Answer>): Promise<{
    readonly answers: Promise<Answer>[];
    readonly letGoOne: () => Promise<unknown>;
    readonly letGo: () => Promise<unknown>;
  }> {
    const answers: Promise<Answer>[] = [];
    let letGoOne: () => Promise<unknown> = letGoAll;
    for (let count = 1; count <= 4; count += 1) {
      const held = await hold();
      answers.push(ask({ id: `large ${count}`, rows: 80, lock: held.lock }));
      letGoOne = held.letGo;
      await turn();
    }
    return { answers, letGoOne, letGo: letGoAll };
  }

  it('go at once when nothing runs', async () => {
    const { ask, statements } = start();
    const answer = ask({ id: 'alone' });
    await turn();
    expect(statements()).toEqual([['alone']]);
    expect(await answer).toMatchObject({ id: 'alone' });
  });

  it('share one statement when they come in the same turn', async () => {
    const { ask, statements } = start();
    const answers = await Promise.all([ask({ id: 'a' }), ask({ id: 'b' }), ask({ id: 'c' })]);
    expect(statements()).toEqual([['a', 'b', 'c']]);
    expect(new Set(answers.map(({ xact }) => xact)).size).toBe(1);
  });

  it('wait for the statement that runs, and share the next', async () => {
    const { ask, statements } = start();
    const { lock, letGo } = await hold();
    const first = ask({ id: 'first', lock });
    await untilHanging(1);
    const waiting = [];
    for (const id of ['a', 'b', 'c']) {
      waiting.push(ask({ id }));
      await turn();
    }
    expect(statements()).toEqual([['first']]);
    await letGo();
    const [{ xact }, ...others] = await Promise.all([first, ...waiting]);
    expect(statements()).toEqual([['first'], ['a', 'b', 'c']]);
    expect(others.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(new Set(others.map((other) => other.xact)).size).toBe(1);
    expect(others[0]!.xact).not.toBe(xact);
  });

  it('come to a statement in the order of their keys, and each gets its own answer', async () => {
    const { ask, statements } = start({ keyOf: ({ key = '' }) => key });
    const ids = ['d', 'b', 'e', 'a', 'c'];
    const answers = await Promise.all(ids.map((id) => ask({ id, key: id })));
    expect(statements()).toEqual([['a', 'b', 'c', 'd', 'e']]);
    expect(answers.map(({ id }) => id)).toEqual(ids);
  });

  it('never share a statement with one of the same key', async () => {
    const { ask, statements } = start({ keyOf: ({ key = '' }) => key });
    const answers = await Promise.all([
      ask({ id: 'a 1', key: 'a' }),
      ask({ id: 'a 2', key: 'a' }),
      ask({ id: 'b 1', key: 'b' }),
      ask({ id: 'a 3', key: 'a' }),
      ask({ id: 'b 2', key: 'b' }),
    ]);
    expect(statements()).toEqual([['a 1', 'b 1'], ['a 2', 'b 2'], ['a 3']]);
    expect(answers.map(({ id }) => id)).toEqual(['a 1', 'a 2', 'b 1', 'a 3', 'b 2']);
  });

  it('neither share with another group nor wait for it', async () => {
    const { ask, statements } = start();
    const { lock, letGo } = await hold();
    const first = ask({ id: 'first', lock });
    await untilHanging(1);
    const waiting = ask({ id: 'a' });
    expect(
      await Promise.all([ask({ id: 'b', group: 'two' }), ask({ id: 'c', group: 'three' })]),
    ).toMatchObject([{ id: 'b' }, { id: 'c' }]);
    expect(statements()).toEqual([['first'], ['b'], ['c']]);
    await letGo();
    await Promise.all([first, waiting]);
    expect(statements()).toEqual([['first'], ['b'], ['c'], ['a']]);
  });

  it('share with fifteen others at most', async () => {
    const { ask, statements } = start();
    await Promise.all(Array.from({ length: 40 }, (_, n) => ask({ id: `ask ${n}` })));
    expect(statements().map((ids) => ids.length)).toEqual([16, 16, 8]);
  });

  it('do not wait any more when they are about 80 rows together', async () => {
    const { ask, statements } = start();
    const { lock, letGo } = await hold();
    const first = ask({ id: 'first', lock });
    await turn();
    const waiting = [ask({ id: 'a', rows: 30 })];
    await turn();
    waiting.push(ask({ id: 'b', rows: 49 }));
    await turn();
    expect(statements()).toEqual([['first']]);
    waiting.push(ask({ id: 'c' }));
    await Promise.all(waiting);
    expect(statements()).toEqual([['first'], ['a', 'b', 'c']]);
    await letGo();
    await first;
  });

  it('have four statements at a time, however many rows they are', async () => {
    const { ask, statements } = start();
    const { answers, letGoOne, letGo } = await fillUp(ask);
    await untilHanging(4);
    const fifth = ask({ id: 'fifth', rows: 80 });
    await turn();
    expect(statements()).toHaveLength(4);
    await letGoOne();
    expect(await fifth).toMatchObject({ id: 'fifth' });
    await letGo();
    await Promise.all(answers);
    expect(statements().at(-1)).toEqual(['fifth']);
  });

  it('have one more when they have waited 20 ms, and not sooner', async () => {
    const { ask, statements } = start();
    const { answers, letGo } = await fillUp(ask);
    const late = [ask({ id: 'a', rows: 80 }), ask({ id: 'b' })];
    await turn();
    jest.advanceTimersByTime(WAIT_MS_MAX - 1);
    expect(statements()).toHaveLength(4);
    jest.advanceTimersByTime(1);
    expect((await Promise.all(late)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(statements().slice(4)).toEqual([['a', 'b']]);
    expect(await hanging()).toHaveLength(4);
    await letGo();
    await Promise.all(answers);
  });

  it('are answered while a statement hangs, each after 20 ms at most', async () => {
    jest.useRealTimers();
    const { ask, statements } = start();
    const { lock, letGo } = await hold();
    const first = ask({ id: 'first', lock });
    await untilHanging(1);
    for (const id of ['a', 'b', 'c']) expect(await ask({ id })).toMatchObject({ id });
    expect(await hanging()).toHaveLength(1);
    await letGo();
    await first;
    expect(statements()).toEqual([['first'], ['a'], ['b'], ['c']]);
  });

  it('wait 20 ms from when they came, whoever waited before them', async () => {
    const { ask, statements } = start();
    const [one, two] = [await hold(), await hold()];
    const first = ask({ id: 'first', lock: one.lock });
    await turn();
    const second = ask({ id: 'second', lock: two.lock });
    await turn();
    jest.advanceTimersByTime(15);
    await one.letGo();
    await first;
    await untilHanging(1);
    const third = ask({ id: 'third' });
    await turn();
    jest.advanceTimersByTime(WAIT_MS_MAX - 1);
    expect(statements()).toEqual([['first'], ['second']]);
    jest.advanceTimersByTime(1);
    expect(statements()).toEqual([['first'], ['second'], ['third']]);
    expect(await third).toMatchObject({ id: 'third' });
    await two.letGo();
    await second;
  });

  it('share up to 1,000 rows, and smaller ones may pass one that does not fit', async () => {
    const { ask, statements } = start();
    const { answers, letGo } = await fillUp(ask);
    const waiting = [
      ask({ id: 'a', rows: 500 }),
      ask({ id: 'b', rows: 400 }),
      ask({ id: 'c', rows: 101 }),
      ask({ id: 'd', rows: 100 }),
      ask({ id: 'e', rows: 1 }),
    ];
    await letGo();
    await Promise.all([...answers, ...waiting]);
    expect(statements().slice(4)).toEqual([
      ['a', 'b', 'd'],
      ['c', 'e'],
    ]);
  });

  it('go alone when they are more than 1,000 rows', async () => {
    const { ask, statements } = start();
    const answers = await Promise.all([
      ask({ id: 'small' }),
      ask({ id: 'huge', rows: 5_000 }),
      ask({ id: 'smaller' }),
    ]);
    expect(answers.map(({ id }) => id)).toEqual(['small', 'huge', 'smaller']);
    const ofHuge = statements().find((ids) => ids.includes('huge'));
    expect(ofHuge).toEqual(['huge']);
  });

  /** Statements of which one hangs, and three asks that then share the next; the middle one is refused. */
  async function withFault(fault: string): Promise<{
    readonly ids: string[];
    readonly outcomes: PromiseSettledResult<Answer>[];
    readonly statements: string[][];
  }> {
    const { ask, statements } = start();
    const ids = ['good', 'guilty', 'well'].map((name) => unique(name));
    const [good, guilty, well] = ids as [string, string, string];
    const outcomes = await Promise.allSettled([
      ask({ id: good }),
      ask({ id: guilty, fault }),
      ask({ id: well }),
    ]);
    return { ids, outcomes, statements: statements() };
  }

  it.each([
    ['its number of rows', '21000'],
    ['its data', '22003'],
    ['a constraint', '23514'],
    ['a trigger', 'P0001'],
    ['its time, because of a lock', '57014'],
    ['a lock’s own time', '55P03'],
  ])('are answered when PostgreSQL refuses another for %s, and stored once', async (_what, fault) => {
    const { ids, outcomes, statements } = await withFault(fault);
    const [good, guilty, well] = ids;
    expect(statements).toEqual([ids, [good], [guilty], [well]]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: { id: good } },
      { status: 'rejected', reason: { driverError: { code: fault } } },
      { status: 'fulfilled', value: { id: well } },
    ]);
    expect((outcomes[1] as PromiseRejectedResult).reason).toBeInstanceOf(QueryFailedError);
    expect(await stored(ids)).toEqual([1, 0, 1]);
  });

  it('are answered while another one, tried alone, still waits for its lock', async () => {
    const { ask } = start();
    const { lock, letGo } = await hold();
    const ids = ['good', 'waiting', 'well'].map((name) => unique(name));
    const [good, waiting, well] = ids.map((id, index) => ask({ id, ...(index === 1 && { lock }) }));
    await untilHanging(1);
    const [pid] = await hanging();
    await database.sql('SELECT pg_cancel_backend($1)', [pid]);
    expect(await Promise.all([good, well])).toMatchObject([{ id: ids[0] }, { id: ids[2] }]);
    await letGo();
    expect(await waiting).toMatchObject({ id: ids[1] });
    expect(await stored(ids)).toEqual([1, 1, 1]);
  });

  it('do not suffer from one that loses every race', async () => {
    const { ids, outcomes } = await withFault('40001');
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stored(ids)).toEqual([1, 0, 1]);
  });

  it.each([
    ['is out of memory', '53200'],
    ['has an error of its own', 'XX000'],
  ])('are all told when PostgreSQL %s, and nothing is sent again', async (_what, fault) => {
    const { ids, outcomes, statements } = await withFault(fault);
    expect(statements).toEqual([ids]);
    const told = { status: 'rejected', reason: { driverError: { code: fault } } };
    expect(outcomes).toMatchObject([told, told, told]);
    expect(await stored(ids)).toEqual([0, 0, 0]);
  });

  it('are all told of a connection that was lost, nothing is sent again, and later ones are answered', async () => {
    const { ask, statements } = start();
    const { lock, letGo } = await hold();
    const ids = ['a', 'b', 'c'].map((name) => unique(name));
    const asked = Promise.allSettled(ids.map((id, index) => ask({ id, ...(index === 1 && { lock }) })));
    await untilHanging(1);
    const [pid] = await hanging();
    await database.sql('SELECT pg_terminate_backend($1)', [pid]);
    const outcomes = await asked;
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await ask({ id: 'later' })).toMatchObject({ id: 'later' });
    expect(statements()).toEqual([ids, ['later']]);
    await letGo();
    expect(await stored(ids)).toEqual([0, 0, 0]);
  });

  it('are all told of an answer that does not come in time, nothing is sent again, and later ones are answered', async () => {
    const statementTimeoutMs = 600_000;
    const environment = { DATABASE_POOL_MAX: 2, DATABASE_STATEMENTS: 'prepared' } as const;
    const limited = new DataSource(dataSourceOptions(database.url, environment, { statementTimeoutMs }));
    await limited.initialize();
    const { ask, statements } = start({}, limited);
    const { lock, letGo } = await hold();
    const ids = ['a', 'b', 'c'].map((name) => unique(name));
    const asked = Promise.allSettled(ids.map((id, index) => ask({ id, ...(index === 1 && { lock }) })));
    await untilHanging(1);
    jest.advanceTimersByTime(statementTimeoutMs + 1_000);
    const told = { status: 'rejected', reason: { driverError: { code: 'ETIMEDOUT' } } };
    expect(await asked).toMatchObject([told, told, told]);
    expect(await ask({ id: 'later' })).toMatchObject({ id: 'later' });
    expect(statements()).toEqual([ids, ['later']]);
    await letGo();
    await limited.destroy();
  });
});
