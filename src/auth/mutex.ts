/** How many calls may hold or wait for one key; the next one is rejected. */
const PENDING_MAX = 1_000;

/**
 * Mutual exclusion within this process, separately for each key: calls with the same key run one after the other, in the
 * order in which they came.
 *
 * By hand, because a library's mutex has neither the map of keys, which must not grow without limit, nor the limit on
 * waiting calls, and these two are all but three lines.
 */
export class Mutex {
  private readonly queues = new Map<string, { last: Promise<unknown>; pending: number }>();

  /** @returns what the work returns; `undefined`, without running it, when {@link PENDING_MAX} calls are pending */
  async runExclusive<T extends object>(key: string, work: () => Promise<T>): Promise<T | undefined> {
    const queue = this.queues.get(key) ?? { last: Promise.resolve(), pending: 0 };
    if (queue.pending >= PENDING_MAX) return undefined;
    queue.pending += 1;
    this.queues.set(key, queue);
    const run = Promise.allSettled([queue.last]).then(work);
    queue.last = run;
    try {
      return await run;
    } finally {
      queue.pending -= 1;
      if (queue.pending === 0) this.queues.delete(key);
    }
  }
}
