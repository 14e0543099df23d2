import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';

/** Of the connections of a process, this share remains for queries that nobody has to wait for, such as authentication. */
const RESERVED_SHARE = 0.3;
/** Of the others, this share remains for further holders while one has all that it may have. */
const OTHERS_SHARE = 0.3;

/**
 * Lets work of holders that may have much of it wait, so that no holder and no amount of such work occupies all connections of a
 * process. Whoever waits gets the next turn: one holder after the other, and the work of a holder in the order in which it came.
 *
 * It counts work and holds no connection itself, so work that does not wait for a turn finds those that are left.
 *
 * Source: decision 9 (docs/decisions/0009-fairness-between-organisations.md).
 */
export class FairQueue {
  /** Pieces of work that run, of each holder that has some. */
  private readonly running = new Map<string, number>();
  private runningCount = 0;
  /** The one whose turn is next comes first. */
  private readonly waiting = new Map<string, (() => void)[]>();

  /** @param whole pieces of work that run at a time @param holderMax those of one holder */
  constructor(
    private readonly whole: number,
    private readonly holderMax: number,
  ) {}

  /** @param connections of the process, 2 or more */
  /** @param holderMax pieces of work of one holder that run at a time; without it, most of them all */
  static ofConnections(connections: number, holderMax?: number): FairQueue {
    const whole = connections - reservedOf(connections);
    return new FairQueue(whole, holderMax ?? Math.max(1, Math.round(whole * (1 - OTHERS_SHARE))));
  }

  /** Pieces of work that wait. */
  get waitingCount(): number {
    return [...this.waiting.values()].reduce((count, { length }) => count + length, 0);
  }

  /**
   * Run work when its holder's turn has come, at once where possible.
   *
   * @param work uses one connection at a time
   */
  run<T>(holder: string, work: () => Promise<T>): Promise<T> {
    if (this.admits(holder)) return this.start(holder, work);
    return new Promise((resolve) => {
      const waiting = this.waiting.get(holder) ?? [];
      this.waiting.set(holder, waiting);
      waiting.push(() => {
        resolve(this.start(holder, work));
      });
    });
  }

  private async start<T>(holder: string, work: () => Promise<T>): Promise<T> {
    // Every other holder is before this one the next time.
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

  private admits(holder: string): boolean {
    return this.runningCount < this.whole && (this.running.get(holder) ?? 0) < this.holderMax;
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
      else if (this.admits(holder)) {
        waiting.shift()?.();
        return;
      }
    }
  }
}

/** Pages of one holder that run at a time. */
const HOLDER_PAGES_MAX = 2;
/** Searches that run at a time, and those of one holder. */
const [SEARCHES_MAX, HOLDER_SEARCHES_MAX] = [2, 1];

/** The turns of the console's pages: as many run at a time as connections remain when all turns of imports are taken. */
@Injectable()
export class PageQueue extends FairQueue {
  constructor(@Inject(ENVIRONMENT) { DATABASE_POOL_MAX }: Environment) {
    super(reservedOf(DATABASE_POOL_MAX), HOLDER_PAGES_MAX);
  }
}

/** The turns of searches for items, each of which takes up to ten seconds and a connection. */
@Injectable()
export class SearchQueue extends FairQueue {
  constructor() {
    super(SEARCHES_MAX, HOLDER_SEARCHES_MAX);
  }
}

/** Connections of a process that work with turns leaves. @param connections of the process */
function reservedOf(connections: number): number {
  return Math.max(1, Math.floor(connections * RESERVED_SHARE));
}
