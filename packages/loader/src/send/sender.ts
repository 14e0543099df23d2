import type { ReadRow } from '@data-import/files';
import type { Kind } from '../kinds/kinds.js';
import { Delivery, type DeliveryOptions, type SharedParts } from './delivery.js';
import { Flow } from './flow.js';
import { Limiter } from './limiter.js';
import { Batcher, type Request, type RequestSize } from './request.js';
import type { Stop } from '../common/stop.js';

/** Pause before requests that were put aside are retried. It doubles while nothing is settled. */
const ASIDE_PAUSE_MS = 1_000;
const ASIDE_PAUSE_MAX_MS = 30_000;

export interface SenderOptions extends DeliveryOptions {
  readonly concurrency: number;
  readonly itemsPerRequest: number;
  readonly bytesPerRequest: number;
  readonly maxErrors: number;
  readonly giveUpAfterMs: number;
  /** The prefix of every request id. */
  readonly run: string;
}

export interface SenderParts extends SharedParts {
  /** The unsettled rows, grouped by account. They are read again for requests that were put aside. */
  readonly rows: (kind: Kind) => AsyncIterable<readonly ReadRow[]>;
  readonly progress: (kind: Kind, rows: number, failed: number) => void;
}

/** Sends all rows of some kinds. */
export class Sender {
  private readonly limiter: Limiter;
  private readonly size: RequestSize;
  private requests = 0;
  private failed = 0;
  private settledRows = 0;
  private aliveAt = 0;
  private underWay = 0;
  /** The reason why the service last neither accepted nor rejected a request. */
  private why: string | undefined;
  /** Whether all remaining requests were put aside. */
  private isWaiting = false;

  constructor(
    private readonly options: SenderOptions,
    private readonly parts: SenderParts,
    private readonly stop: Stop,
  ) {
    this.limiter = new Limiter(options.concurrency, parts.clock);
    this.size = { items: options.itemsPerRequest, bytes: options.bytesPerRequest };
  }

  /** Returns when every row is settled or the run is stopped. @throws Error that ended it, once no request is running */
  async run(kinds: readonly Kind[]): Promise<void> {
    const watch = this.watch();
    try {
      let waiting: Kind[] = [];
      for (const kind of kinds) if ((await this.send(kind, false)) > 0) waiting.push(kind);
      let pauseMs = ASIDE_PAUSE_MS;
      this.isWaiting = true;
      this.aliveAt = this.parts.clock.now();
      while (waiting.length > 0 && !this.stop.signal.aborted) {
        const before = this.settledRows;
        await this.parts.clock.sleep(pauseMs, this.stop.signal);
        const left: Kind[] = [];
        for (const kind of waiting) if ((await this.send(kind, true)) > 0) left.push(kind);
        waiting = left;
        pauseMs = this.settledRows > before ? ASIDE_PAUSE_MS : Math.min(2 * pauseMs, ASIDE_PAUSE_MAX_MS);
      }
    } finally {
      watch.abort();
    }
  }

  /** @returns the number of requests that were put aside */
  private async send(kind: Kind, isLast: boolean): Promise<number> {
    if (this.stop.signal.aborted) return 0;
    const { clock } = this.parts;
    const delivery = new Delivery(
      {
        ...this.parts,
        ...this.options,
        limiter: this.limiter,
        stop: this.stop,
        size: this.size,
        nextRequestId: () => `${this.options.run}-${(this.requests += 1)}`,
        settled: (of, rows, failed) => {
          this.settled(of, rows, failed);
        },
        undecided: (why) => {
          this.why = why;
          this.parts.undecided(why);
        },
      },
      isLast,
    );
    const deliver = async (request: Request): Promise<void> => {
      // Retrying requests that were put aside does not restart the timeout.
      if (this.underWay === 0 && !isLast) this.aliveAt = clock.now();
      this.underWay += 1;
      await delivery.deliver(request).finally(() => {
        this.underWay -= 1;
      });
    };
    const flow = new Flow(deliver, this.options.concurrency, this.stop);
    await flow.run(this.requestsOf(kind));
    return delivery.aside;
  }

  /** The requests of a kind. Rows that cannot be read are recorded as failed meanwhile. */
  private async *requestsOf(kind: Kind): AsyncGenerator<Request> {
    const batcher = new Batcher(kind, this.size);
    for await (const rows of this.parts.rows(kind)) {
      for (const row of rows) {
        if (this.stop.signal.aborted) return;
        if (row.error) {
          this.parts.ledger.failed(kind, row, [row.error]);
          this.settled(kind, 1, 1);
        } else {
          const request = batcher.add(row);
          if (request) yield request;
        }
      }
    }
    const last = batcher.end();
    if (last) yield last;
  }

  private settled(kind: Kind, rows: number, failed: number): void {
    this.aliveAt = this.parts.clock.now();
    this.settledRows += rows;
    this.failed += failed;
    this.parts.progress(kind, rows, failed);
    const { maxErrors } = this.options;
    if (this.failed > maxErrors) this.stop.because({ is: 'max-errors', limit: maxErrors });
  }

  /** Stop the run when the service has neither accepted nor rejected anything for longer than allowed. */
  private watch(): AbortController {
    const { clock } = this.parts;
    const { giveUpAfterMs } = this.options;
    const end = new AbortController();
    this.aliveAt = clock.now();
    const look = async (): Promise<void> => {
      while (!end.signal.aborted) {
        // While files are read, nothing waits for the service.
        const isAsking = this.underWay > 0 || this.isWaiting;
        const left = isAsking ? this.aliveAt + giveUpAfterMs - clock.now() : giveUpAfterMs;
        if (left <= 0) {
          this.stop.because({ is: 'away', forMs: giveUpAfterMs, why: this.why });
          return;
        }
        await clock.sleep(left, end.signal);
      }
    };
    void look();
    return end;
  }
}
