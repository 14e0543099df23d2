import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../config/settings.js';

/** This share of a process's connections is reserved for queries that never wait, such as authentication. */
const RESERVED_SHARE = 0.3;
/** This share of the remaining connections is left for other holders when one uses all that it may have. */
const OTHERS_SHARE = 0.3;

/**
 * Queues work of holders that may have much of it, so that no holder and no kind of work occupies all connections of a process.
 * Waiting holders take turns, and the work of each holder runs in the order of its arrival.
 *
 * The queue counts work and holds no connections itself, so work outside of it uses the remaining ones.
 *
 * Source: decision 9 (docs/decisions/0009-fairness-between-organisations.md).
 */
export class FairQueue {
  /** Running work by holder, only for holders that have some. */
  private readonly running = new Map<string, number>();
  private runningCount = 0;
  /** Waiting work by holder, the next holder first. */
  private readonly waiting = new Map<string, (() => void)[]>();

  /** @param runningMax maximum number of concurrent work items @param holderMax the same for one holder */
  constructor(
    private readonly runningMax: number,
    private readonly holderMax: number,
  ) {}

  /**
   * @param connections number of connections of the process, at least 2
   * @param holderMax maximum number of concurrent work items of one holder; by default a large share of all
   */
  static ofConnections(connections: number, holderMax?: number): FairQueue {
    const runningMax = connections - reservedOf(connections);
    return new FairQueue(runningMax, holderMax ?? Math.max(1, Math.round(runningMax * (1 - OTHERS_SHARE))));
  }

  /** Number of waiting work items. */
  get waitingCount(): number {
    return [...this.waiting.values()].reduce((count, { length }) => count + length, 0);
  }

  /**
   * Run work when it is its holder's turn, at once if possible.
   *
   * @param work uses one connection at a time
   */
  run<T>(holder: string, work: () => Promise<T>): Promise<T> {
    if (this.canStart(holder)) return this.start(holder, work);
    return new Promise((resolve) => {
      const waiting = this.waiting.get(holder) ?? [];
      this.waiting.set(holder, waiting);
      waiting.push(() => {
        resolve(this.start(holder, work));
      });
    });
  }

  private async start<T>(holder: string, work: () => Promise<T>): Promise<T> {
    // Next time, every other holder comes first.
    const waiting = this.waiting.get(holder);
    if (waiting) {
      this.waiting.delete(holder);
      this.waiting.set(holder, waiting);
    }
    this.count(holder, 1);
    try {
      return await work();
    } finally {
      this.count(holder, -1);
      this.startNext();
    }
  }

  private canStart(holder: string): boolean {
    return this.runningCount < this.runningMax && (this.running.get(holder) ?? 0) < this.holderMax;
  }

  private count(holder: string, difference: number): void {
    this.runningCount += difference;
    const running = (this.running.get(holder) ?? 0) + difference;
    if (running === 0) this.running.delete(holder);
    else this.running.set(holder, running);
  }

  private startNext(): void {
    for (const [holder, waiting] of this.waiting) {
      if (waiting.length === 0) this.waiting.delete(holder);
      else if (this.canStart(holder)) {
        waiting.shift()?.();
        return;
      }
    }
  }
}

/** Maximum number of concurrent pages of one holder. */
const HOLDER_PAGES_MAX = 2;
/** Maximum number of concurrent searches, in total and of one holder. */
const [SEARCHES_MAX, HOLDER_SEARCHES_MAX] = [2, 1];

/** Queue of the console's pages. Their limit is the number of connections that remain when imports use all of theirs. */
@Injectable()
export class PageQueue extends FairQueue {
  constructor(@Inject(ENVIRONMENT) { DATABASE_POOL_MAX }: Environment) {
    super(reservedOf(DATABASE_POOL_MAX), HOLDER_PAGES_MAX);
  }
}

/** Queue of searches for items, each of which takes up to ten seconds and a connection. */
@Injectable()
export class SearchQueue extends FairQueue {
  constructor() {
    super(SEARCHES_MAX, HOLDER_SEARCHES_MAX);
  }
}

/** Connections that queued work leaves free. @param connections number of connections of the process */
function reservedOf(connections: number): number {
  return Math.max(1, Math.floor(connections * RESERVED_SHARE));
}
