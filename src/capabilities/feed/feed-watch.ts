import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Throttle } from '../../infrastructure/jobs/throttle.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { TotalsService } from '../totals/totals.service.js';
import { ChangesRepository } from './changes.repository.js';

/** How often the feed is polled while somebody waits. Each poll also numbers the visible changes. */
const INTERVAL_MS = 250;
/** A lasting failure is logged once in this time. */
const REPORT_INTERVAL_MS = 60_000;

/** A reader that waits for a change after a number. */
interface Waiting {
  readonly after: number;
  readonly wake: () => void;
}

/**
 * Readers that wait for the next change. One timer per supplier polls for all its waiting readers and carries changes over.
 * A waiting reader holds no database connection.
 *
 * Source: choice E1; decision 19 (docs/decisions/).
 */
@Injectable()
export class FeedWatch implements BeforeApplicationShutdown {
  private readonly logger = new Logger('feed');
  private readonly reports = new Throttle(REPORT_INTERVAL_MS);
  private readonly waiting = new Map<number, Set<Waiting>>();
  private isOver = false;

  constructor(
    private readonly work: UnitOfWork,
    private readonly totals: TotalsService,
    private readonly repository: ChangesRepository,
  ) {}

  /** How many readers wait. */
  get count(): number {
    return [...this.waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Wait until there is a change after a number, at most `waitMs`.
   *
   * @param gone ends the wait, because nobody reads the answer any more
   */
  async wait(importSupplierId: number, after: number, waitMs: number, gone: AbortSignal): Promise<void> {
    if (this.isOver || gone.aborted) return;
    const others = this.waiting.get(importSupplierId);
    const all = others ?? new Set();
    const ended = new AbortController();
    const one: Waiting = {
      after,
      wake: () => {
        ended.abort();
      },
    };
    all.add(one);
    gone.addEventListener('abort', one.wake);
    if (!others) {
      this.waiting.set(importSupplierId, all);
      void this.watch(importSupplierId, all);
    }
    await delay(waitMs, undefined, { signal: ended.signal }).catch(() => undefined);
    gone.removeEventListener('abort', one.wake);
    all.delete(one);
  }

  /** Answer every waiting reader, so that the process can end. */
  beforeApplicationShutdown(): void {
    this.isOver = true;
    for (const all of this.waiting.values()) for (const { wake } of all) wake();
  }

  private async watch(importSupplierId: number, all: Set<Waiting>): Promise<void> {
    while (all.size > 0) {
      await this.look(importSupplierId, all).catch((err: unknown) => {
        if (this.reports.consume()) this.logger.warn({ msg: 'could not look for changes of the feed', err });
      });
      await delay(INTERVAL_MS, undefined, { ref: false });
    }
    this.waiting.delete(importSupplierId);
  }

  private async look(importSupplierId: number, all: ReadonlySet<Waiting>): Promise<void> {
    await this.totals.carryOverSome(importSupplierId, false);
    const head = await this.work.atSupplier(importSupplierId, (node) =>
      node.query((tx) => this.repository.head(tx, importSupplierId)),
    );
    for (const { after, wake } of all) if (head && head.lastSequence !== after) wake();
  }
}
