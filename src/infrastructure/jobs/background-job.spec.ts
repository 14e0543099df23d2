import { BackgroundJob } from './background-job.js';

const { jest } = import.meta;

const INTERVAL_MS = 1_000;

describe('a background job', () => {
  let failures: unknown[];
  beforeEach(() => {
    jest.useFakeTimers();
    failures = [];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function jobOf(run: (signal: AbortSignal) => Promise<void> | void): BackgroundJob {
    return new BackgroundJob({ intervalMs: INTERVAL_MS, run, onFailure: (error) => failures.push(error) });
  }

  it('runs again an interval after the last run has ended, however long that took', async () => {
    const ends: (() => void)[] = [];
    const job = jobOf(() => new Promise((resolve) => ends.push(resolve)));
    job.start();
    await jest.advanceTimersByTimeAsync(INTERVAL_MS - 1);
    expect(ends).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(10 * INTERVAL_MS);
    expect(ends).toHaveLength(1);
    ends[0]!();
    await jest.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(ends).toHaveLength(2);
  });

  it('continues after an error, which is reported once a minute', async () => {
    let runs = 0;
    const job = jobOf(() => {
      runs += 1;
      throw new Error(`Run ${runs}.`);
    });
    job.start(0);
    await jest.advanceTimersByTimeAsync(60 * INTERVAL_MS);
    expect(runs).toBe(61);
    expect(failures).toEqual([new Error('Run 1.'), new Error('Run 61.')]);
  });

  it('aborts the current run when it is stopped, and waits for its end', async () => {
    let end: (() => void) | undefined;
    let runs = 0;
    let isStopped = false;
    const job = jobOf((signal) => {
      runs += 1;
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => (end = resolve));
      });
    });
    job.start(0);
    await jest.advanceTimersByTimeAsync(0);
    const stopped = job.stop().then(() => (isStopped = true));
    await jest.advanceTimersByTimeAsync(10 * INTERVAL_MS);
    expect([runs, isStopped]).toEqual([1, false]);
    end!();
    await stopped;
    job.start(0);
    await jest.advanceTimersByTimeAsync(10 * INTERVAL_MS);
    expect(runs).toBe(1);
  });
});
