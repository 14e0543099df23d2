import type { Clock } from '../common/clock.js';
import { Limiter } from './limiter.js';

/** A clock that advances only when code sleeps. */
function testClock(): Clock & { readonly slept: number[] } {
  let now = 1_000_000;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    random: () => 1,
    sleep: (ms) => {
      slept.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
}

const { signal } = new AbortController();

describe('the limiter', () => {
  it('makes all workers wait for as long as the service asks', async () => {
    const clock = testClock();
    const limiter = new Limiter(4, clock);
    limiter.refused(3_000, false);
    limiter.refused(1_000, false);
    await limiter.begin(signal);
    expect(clock.slept).toEqual([3_000]);
  });

  it('halves the concurrency once for simultaneous answers, and raises it again gradually', () => {
    const limiter = new Limiter(8, testClock());
    for (let answer = 0; answer < 8; answer += 1) limiter.refused(1_000, true);
    expect(limiter.limit).toBe(4);
    for (let answer = 0; answer < 79; answer += 1) limiter.succeeded();
    expect(limiter.limit).toBe(4);
    limiter.succeeded();
    expect(limiter.limit).toBe(5);
    for (let answer = 0; answer < 2_000; answer += 1) limiter.succeeded();
    expect(limiter.limit).toBe(8);
  });

  it('never goes below one request at a time', async () => {
    const limiter = new Limiter(4, testClock());
    for (let answer = 0; answer < 5; answer += 1) {
      limiter.refused(1_000, true);
      await limiter.begin(signal);
      limiter.end();
    }
    expect(limiter.limit).toBe(1);
  });

  it('waits longer after each failure, and starts over after a success', () => {
    const limiter = new Limiter(4, testClock());
    expect([1, 2, 3, 4].map(() => limiter.failed())).toEqual([250, 500, 1_000, 2_000]);
    for (let time = 0; time < 20; time += 1) limiter.failed();
    expect(limiter.failed()).toBe(15_000);
    limiter.succeeded();
    expect(limiter.failed()).toBe(250);
  });

  it('lets the others continue after a single failure, and pauses them after the second', async () => {
    const clock = testClock();
    const limiter = new Limiter(4, clock);
    limiter.failed();
    await limiter.begin(signal);
    expect(clock.slept).toEqual([]);
    limiter.failed();
    await limiter.begin(signal);
    expect(clock.slept).toEqual([500]);
  });

  it('allows no more requests to begin than the limit, until one has ended', async () => {
    const limiter = new Limiter(2, testClock());
    const begun: number[] = [];
    await limiter.begin(signal);
    await limiter.begin(signal);
    const third = limiter.begin(signal).then(() => begun.push(3));
    await Promise.resolve();
    expect(begun).toEqual([]);
    limiter.end();
    await third;
    expect(begun).toEqual([3]);
  });

  it('allows no request to begin after the end', async () => {
    const limiter = new Limiter(1, testClock());
    await limiter.begin(signal);
    const stop = new AbortController();
    const second = limiter.begin(stop.signal);
    stop.abort();
    expect(await second).toBe(false);
  });
});
