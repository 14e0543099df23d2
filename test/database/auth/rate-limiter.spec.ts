import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/apps/data-source.js';
import { RateLimiterService } from '../../../src/auth/rate-limiter.service.js';
import { readEnvironment } from '../../../src/infrastructure/config/env.js';
import { UnitOfWork } from '../../../src/infrastructure/database/unit-of-work.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { unique } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';

const { jest } = import.meta;

describe('the rate limiter', () => {
  let database: TestDatabase;
  let instances: { source: DataSource; rateLimiter: RateLimiterService }[];

  const startInstance = async (): Promise<(typeof instances)[number]> => {
    const source = new DataSource(dataSourceOptions(database.url, readEnvironment({})));
    await source.initialize();
    return {
      source,
      rateLimiter: new RateLimiterService(new UnitOfWork(source)),
    };
  };
  const consume = (subject: string, perMinute: number, instance = 0): Promise<number> =>
    instances[instance]!.rateLimiter.consume(subject, perMinute);
  /** Consume on an instance that has refused nothing yet, so that it queries the database. */
  const consumeAnew = (subject: string, perMinute: number): Promise<number> =>
    new RateLimiterService(new UnitOfWork(instances[0]!.source)).consume(subject, perMinute);
  /** Move the subject's last action into the past. */
  const pass = (subject: string, seconds: number): Promise<unknown[]> =>
    database.sql(
      `UPDATE rate_limit SET theoretical_arrival_at = theoretical_arrival_at - $2 * interval '1 s' WHERE subject = $1`,
      [subject, seconds],
    );

  /** Expect a wait in seconds, minus at most the time since `sinceMs`. */
  const expectWait = async (wait: Promise<number>, seconds: number, sinceMs: number): Promise<void> => {
    const actual = await wait;
    const passed = (performance.now() - sinceMs) / 1_000;
    expect(actual).toBeLessThanOrEqual(seconds);
    expect(actual).toBeGreaterThanOrEqual(Math.max(0, Math.ceil(seconds - passed)));
  };

  beforeAll(async () => {
    database = await createDatabase();
    instances = [await startInstance(), await startInstance()];
  });
  afterAll(async () => {
    for (const { source } of instances) await source.destroy();
    await database.drop();
  });

  it('allows exactly ten of a hundred concurrent actions on two instances (A9)', async () => {
    const subject = unique('subject');
    const waits = await Promise.all(Array.from({ length: 100 }, (_, n) => consume(subject, 10, n % 2)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    expect(waits.every((wait) => wait <= 6)).toBe(true);
  });

  it.each([1, 7, 59])('allows all of a minute’s %d actions at once, despite rounding (A9)', async (limit) => {
    // The actions run in random order: one that started earlier but got the lock later must not be refused.
    for (let repeat = 0; repeat < 5; repeat += 1) {
      const subject = unique('subject');
      const actions = Array.from({ length: limit }, (_, n) => consume(subject, limit, n % 2));
      const waits = await Promise.all(actions);
      expect(waits.filter((wait) => wait > 0)).toEqual([]);
    }
  });

  it('allows further actions evenly over the minute, and reports when (A9)', async () => {
    const subject = unique('subject');
    const startedAtMs = performance.now();
    for (let actions = 0; actions < 4; actions += 1) await consume(subject, 4);
    await expectWait(consumeAnew(subject, 4), 15, startedAtMs);
    await pass(subject, 3);
    await expectWait(consumeAnew(subject, 4), 12, startedAtMs);
    await pass(subject, 12);
    expect(await consumeAnew(subject, 4)).toBe(0);
    await expectWait(consumeAnew(subject, 4), 15, startedAtMs);
  });

  it('never allows more than the limit after a long pause (A9)', async () => {
    const subject = unique('subject');
    await consume(subject, 2);
    await pass(subject, 86_400);
    const startedAtMs = performance.now();
    expect([await consume(subject, 2), await consume(subject, 2)]).toEqual([0, 0]);
    await expectWait(consume(subject, 2), 30, startedAtMs);
  });

  it('refuses again without a query, and asks the database when the wait is over (A9)', async () => {
    const work = new UnitOfWork(instances[0]!.source);
    const queries = jest.spyOn(work, 'query').mock.calls;
    const rateLimiter = new RateLimiterService(work);
    const subject = unique('subject');
    // After the first twenty, one action is allowed every three seconds; even a busy machine does the twenty faster.
    await Promise.all(Array.from({ length: 20 }, () => rateLimiter.consume(subject, 20)));
    expect(await rateLimiter.consume(subject, 20)).toBeGreaterThan(0);
    queries.length = 0;
    expect(await rateLimiter.consume(subject, 20)).toBeGreaterThan(0);
    expect(queries).toHaveLength(0);
    await waitUntil('an action is allowed again', async () => (await rateLimiter.consume(subject, 20)) === 0);
    // The process's clock may be a little ahead of the database's.
    expect(queries.length).toBeGreaterThan(0);
    expect(queries.length).toBeLessThan(5);
  });

  it('purges expired limits and keeps the others (A9)', async () => {
    const [past, present] = [unique('past'), unique('present')];
    await consume(past, 1);
    await consume(present, 1);
    await pass(past, 61);
    await pass(present, 30);
    const newcomer = await startInstance();
    newcomer.rateLimiter.onApplicationBootstrap();
    const isThere = async (subject: string): Promise<boolean> => {
      const rows = await database.sql('SELECT FROM rate_limit WHERE subject = $1', [subject]);
      return rows.length > 0;
    };
    await waitUntil('the expired limit is purged', async () => !(await isThere(past)));
    expect(await isThere(present)).toBe(true);
    await newcomer.rateLimiter.onApplicationShutdown();
    await newcomer.source.destroy();
  });

  it('allows actions even if the purge fails (A9)', async () => {
    const work = new UnitOfWork(instances[0]!.source);
    jest.spyOn(work, 'query').mockRejectedValueOnce(new Error('Not now.'));
    const rateLimiter = new RateLimiterService(work);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    rateLimiter.onApplicationBootstrap();
    await waitUntil('the purge has failed', () => Promise.resolve(warn.mock.calls.length > 0));
    expect(await rateLimiter.consume(unique('subject'), 1)).toBe(0);
    await rateLimiter.onApplicationShutdown();
  });
});
