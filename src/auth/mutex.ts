/**
 * Mutual exclusion within this process, separately for each key: calls with the same key run one after the other, in the
 * order in which they came.
 *
 * By hand, because a library's mutex has no map of keys, which must not grow without limit, and that is all but three lines.
 */
export class Mutex {
  private readonly latest = new Map<string, Promise<unknown>>();

  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const run = Promise.allSettled([this.latest.get(key)]).then(work);
    this.latest.set(key, run);
    try {
      return await run;
    } finally {
      if (this.latest.get(key) === run) this.latest.delete(key);
    }
  }
}
