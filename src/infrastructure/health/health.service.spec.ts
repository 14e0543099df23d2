import type { UnitOfWork } from '../database/unit-of-work.js';
import { HealthService } from './health.service.js';

/** A service whose database answers or not, and how often it was pinged. */
function withDatabase(single: () => Promise<void>): { health: HealthService; asked: () => number } {
  let asked = 0;
  const work = {
    answeredAtMs: -Infinity,
    query: async () => {
      asked += 1;
      await single();
      work.answeredAtMs = performance.now();
    },
  };
  const health = new HealthService(work as unknown as UnitOfWork);
  return { health, asked: () => asked };
}

async function probe(health: HealthService): Promise<Set<boolean>> {
  const answers = new Set(await Promise.all(Array.from({ length: 50 }, () => health.isDatabaseUp())));
  return answers.add(await health.isDatabaseUp());
}

describe('the known state of the database', () => {
  it('costs one query, however many probes there are, while it answers (O1)', async () => {
    const { health, asked } = withDatabase(() => Promise.resolve());
    expect(await probe(health)).toEqual(new Set([true]));
    expect(asked()).toBe(1);
  });

  it('costs one query, however many probes there are, while it does not (O1)', async () => {
    const { health, asked } = withDatabase(() => Promise.reject(new Error('away')));
    expect(await probe(health)).toEqual(new Set([false]));
    expect(asked()).toBe(1);
  });

  it('is reported even if the database is silent, and to the next probe without another query (O1)', async () => {
    const { health, asked } = withDatabase(() => new Promise(() => undefined));
    expect(await probe(health)).toEqual(new Set([false]));
    expect(asked()).toBe(1);
  });

  it('follows from the queries of requests, without a ping (O1)', async () => {
    const work = { answeredAtMs: performance.now() } as UnitOfWork;
    expect(await probe(new HealthService(work))).toEqual(new Set([true]));
  });
});
