import type { Stop } from '../common/stop.js';
import type { Request } from './request.js';

/** The number of requests that are built ahead for each request that may run at a time. */
const LOOK_AHEAD = 4;
/** The approximate limit of their total size. */
const LOOK_AHEAD_BYTES = 16 * 1024 * 1024;

/** Delivers requests. Requests of one account run one after the other, those of different accounts concurrently. */
export class Flow {
  /** The unfinished requests of each account. */
  private readonly accounts = new Map<string, Request[]>();
  /** The requests of accounts that have not been started. */
  private readonly waiting: Request[][] = [];
  private running = 0;
  private size = 0;
  private bytes = 0;
  private error: unknown;
  private wake: () => void = () => undefined;

  constructor(
    private readonly deliver: (request: Request) => Promise<void>,
    private readonly concurrency: number,
    private readonly stop: Stop,
  ) {}

  async run(requests: AsyncIterable<Request>): Promise<void> {
    const onStop = (): void => {
      this.wake();
    };
    this.stop.signal.addEventListener('abort', onStop);
    try {
      for await (const request of requests) {
        while (this.isFull && !this.isOver) await this.change();
        if (this.isOver) break;
        this.push(request);
      }
    } catch (error) {
      this.error ??= error;
    }
    while (this.running > 0) await this.change();
    this.stop.signal.removeEventListener('abort', onStop);
    if (this.error !== undefined) throw this.error as Error;
  }

  private get isOver(): boolean {
    return this.error !== undefined || this.stop.signal.aborted;
  }

  private get isFull(): boolean {
    return this.size >= LOOK_AHEAD * this.concurrency || this.bytes >= LOOK_AHEAD_BYTES;
  }

  private push(request: Request): void {
    this.size += 1;
    this.bytes += request.bytes;
    const queue = this.accounts.get(request.account);
    if (queue) queue.push(request);
    else {
      const started = [request];
      this.accounts.set(request.account, started);
      this.waiting.push(started);
      this.start();
    }
  }

  private start(): void {
    while (this.running < this.concurrency && !this.isOver) {
      const queue = this.waiting.shift();
      if (!queue) return;
      this.running += 1;
      void this.work(queue);
    }
  }

  /** Deliver the requests of an account. A started account stays first, so that few accounts are half done at any time. */
  private async work(queue: Request[]): Promise<void> {
    for (let request = queue.shift(); request && !this.isOver; request = queue.shift()) {
      this.size -= 1;
      this.bytes -= request.bytes;
      this.wake();
      try {
        await this.deliver(request);
      } catch (error) {
        this.error ??= error;
      }
      if (queue.length === 0) this.accounts.delete(request.account);
    }
    this.running -= 1;
    this.start();
    this.wake();
  }

  private change(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }
}
