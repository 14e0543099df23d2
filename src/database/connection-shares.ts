/** Of the connections of a process, this share remains for queries that nobody has to wait for: authentication, reads. */
const RESERVED_SHARE = 0.3;
/** Of the others, this share remains for further owners while one has all that it may have. */
const OTHERS_SHARE = 0.3;

/** What one owner has running and waiting. */
interface Owner {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Divides the connections of a process among the owners of work that may have to wait, so that no owner and no amount of
 * such work occupies all of them. Whoever waits gets the next connection in turn: one owner after the other, and the work of
 * an owner in the order in which it came.
 *
 * It counts work and holds no connection itself, so work that is not divided finds those that are left.
 *
 * Source: decision 9 (docs/decisions/0009-fairness-between-organisations.md).
 */
export class ConnectionShares {
  /** Pieces of work that run at a time. */
  readonly runningMax: number;
  /** Those of one owner. */
  readonly ownerMax: number;
  /** Only those with work; the one whose turn is next comes first. */
  private readonly owners = new Map<string, Owner>();
  private running = 0;

  /** @param connections of the process, 2 or more */
  constructor(connections: number) {
    this.runningMax = connections - Math.max(1, Math.floor(connections * RESERVED_SHARE));
    this.ownerMax = Math.max(1, Math.round(this.runningMax * (1 - OTHERS_SHARE)));
  }

  /** Pieces of work that wait. */
  get waitingCount(): number {
    return [...this.owners.values()].reduce((count, { waiting }) => count + waiting.length, 0);
  }

  /**
   * Run work when its owner's turn has come, at once where possible.
   *
   * @param work uses one connection at a time
   */
  run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const { running } = this.owners.get(owner) ?? { running: 0 };
    if (this.running < this.runningMax && running < this.ownerMax) return this.start(owner, work);
    return new Promise((resolve) => {
      this.entry(owner).waiting.push(() => {
        resolve(this.start(owner, work));
      });
    });
  }

  private entry(owner: string): Owner {
    let entry = this.owners.get(owner);
    if (!entry) {
      entry = { running: 0, waiting: [] };
      this.owners.set(owner, entry);
    }
    return entry;
  }

  private async start<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const entry = this.entry(owner);
    // Every other owner is before this one the next time.
    this.owners.delete(owner);
    this.owners.set(owner, entry);
    entry.running += 1;
    this.running += 1;
    try {
      return await work();
    } finally {
      entry.running -= 1;
      this.running -= 1;
      if (entry.running === 0 && entry.waiting.length === 0) this.owners.delete(owner);
      this.startNext();
    }
  }

  private startNext(): void {
    for (const { running, waiting } of this.owners.values()) {
      if (running >= this.ownerMax) continue;
      const next = waiting.shift();
      if (!next) continue;
      next();
      return;
    }
  }
}
