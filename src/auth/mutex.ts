/** Most pieces of work that wait for one subject; beyond it the next is turned away. */
const WAITING_MAX = 1_000;

/** Lets pieces of work for the same subject run one at a time, in the order of their arrival, within this process. */
export class Mutex {
  private readonly queues = new Map<string, { last: Promise<unknown>; waiting: number }>();

  /** @returns what the work returns, or nothing, without having done it, when too much is waiting already */
  async take<T extends object>(subject: string, work: () => Promise<T>): Promise<T | undefined> {
    const queue = this.queues.get(subject) ?? { last: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= WAITING_MAX) return undefined;
    queue.waiting += 1;
    this.queues.set(subject, queue);
    const turn = Promise.allSettled([queue.last]).then(work);
    queue.last = turn;
    try {
      return await turn;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) this.queues.delete(subject);
    }
  }
}
