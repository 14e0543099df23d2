import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { RateLimiterRepository } from '../../src/auth/rate-limiter.repository.js';
import { RateLimiterService } from '../../src/auth/rate-limiter.service.js';
import { readEnvironment } from '../../src/config/env.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { unique } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

describe('rate allowances', () => {
  let database: TestDatabase;
  let instances: { source: DataSource; allowance: RateLimiterService }[];

  const startInstance = async (): Promise<(typeof instances)[number]> => {
    const source = new DataSource(dataSourceOptions(database.url, readEnvironment({})));
    await source.initialize();
    return {
      source,
      allowance: new RateLimiterService(new UnitOfWork(source), new RateLimiterRepository()),
    };
  };
  const spend = (subject: string, perMinute: number, instance = 0): Promise<number> =>
    instances[instance]!.allowance.spend(subject, perMinute);
  /** As if so much time had passed since the subject's last action. */
  const pass = (subject: string, seconds: number): Promise<unknown[]> =>
    database.sql(`UPDATE rate_limit SET theoretical_arrival_at = theoretical_arrival_at - $2 * interval '1 s' WHERE subject = $1`, [
      subject,
      seconds,
    ]);

  /** A refused action: the seconds it has to wait, of which some may have passed, and no more, since a moment. */
  const expectWait = async (wait: Promise<number>, seconds: number, sinceMs: number): Promise<void> => {
    const told = await wait;
    const passed = (performance.now() - sinceMs) / 1_000;
    expect(told).toBeLessThanOrEqual(seconds);
    expect(told).toBeGreaterThanOrEqual(Math.max(0, Math.ceil(seconds - passed)));
  };

  beforeAll(async () => {
    database = await createDatabase();
    instances = [await startInstance(), await startInstance()];
  });
  afterAll(async () => {
    for (const { source } of instances) await source.destroy();
    await database.drop();
  });

  it('admit exactly the allowed number of a hundred at once on two instances (A9)', async () => {
    const subject = unique('subject');
    const waits = await Promise.all(Array.from({ length: 100 }, (_, n) => spend(subject, 10, n % 2)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    expect(waits.every((wait) => wait <= 6)).toBe(true);
  });

  it.each([1, 3, 7, 11, 13, 59])(
    'admit all of %d a minute at once, whatever the rounding (A9)',
    async (limit) => {
      // Which of the actions is let pass first is chance; one that began earlier and comes later must not lose by it.
      for (let repeat = 0; repeat < 50; repeat += 1) {
        const subject = unique('subject');
        const actions = Array.from({ length: limit }, (_, n) => spend(subject, limit, n % 2));
        const waits = await Promise.all(actions);
        expect(waits.filter((wait) => wait > 0)).toEqual([]);
      }
    },
  );

  it('refuse one more than all of them (A9)', async () => {
    const subject = unique('subject');
    await Promise.all(Array.from({ length: 7 }, () => spend(subject, 7)));
    expect(await spend(subject, 7)).toBeGreaterThan(0);
  });

  it('come back evenly, and say when the next action will be admitted (A9)', async () => {
    const subject = unique('subject');
    const startedAtMs = performance.now();
    for (let actions = 0; actions < 4; actions += 1) await spend(subject, 4);
    await expectWait(spend(subject, 4), 15, startedAtMs);
    await pass(subject, 3);
    await expectWait(spend(subject, 4), 12, startedAtMs);
    await pass(subject, 12);
    expect(await spend(subject, 4)).toBe(0);
    await expectWait(spend(subject, 4), 15, startedAtMs);
  });

  it('never grow beyond the whole (A9)', async () => {
    const subject = unique('subject');
    await spend(subject, 2);
    await pass(subject, 86_400);
    const startedAtMs = performance.now();
    expect([await spend(subject, 2), await spend(subject, 2)]).toEqual([0, 0]);
    await expectWait(spend(subject, 2), 30, startedAtMs);
  });

  it('take back what was spent for nothing (A9)', async () => {
    const subject = unique('subject');
    for (let actions = 0; actions < 20; actions += 1) {
      expect(await spend(subject, 1)).toBe(0);
      await instances[0]!.allowance.giveBack(subject, 1);
    }
  });

  it('of the past are swept out, others stay (A9)', async () => {
    const [past, present] = [unique('past'), unique('present')];
    await spend(past, 1);
    await spend(present, 1);
    await pass(past, 61);
    await pass(present, 30);
    const newcomer = await startInstance();
    await newcomer.allowance.spend(unique('other'), 1);
    const isThere = async (subject: string): Promise<boolean> => {
      const rows = await database.sql('SELECT FROM rate_limit WHERE subject = $1', [subject]);
      return rows.length > 0;
    };
    await waitUntil('the past is swept out', async () => !(await isThere(past)));
    expect(await isThere(present)).toBe(true);
    await newcomer.source.destroy();
  });

  it('admit also when what is past cannot be swept out (A9)', async () => {
    class Unswept extends RateLimiterRepository {
      override sweep(): Promise<void> {
        return Promise.reject(new Error('Not now.'));
      }
    }
    const { source } = instances[0]!;
    const allowance = new RateLimiterService(new UnitOfWork(source), new Unswept());
    expect(await allowance.spend(unique('subject'), 1)).toBe(0);
  });
});
