import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { UnitOfWork, type Tx } from './unit-of-work.js';

/** How often a process looks for what has been kept long enough. */
const INTERVAL_MS = 3_600_000;
/** Between two batches, so that requests come first. */
const PAUSE_MS = 100;

/**
 * Removes what is kept for a limited time, in the background of the service: once after the start and then every hour, in
 * batches that are transactions of their own. Every process of every instance does so; a batch skips the rows that another
 * one has locked.
 *
 * Source: choice S10.
 */
@Injectable()
export abstract class RetentionJob implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('retention');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(protected readonly work: UnitOfWork) {}

  /** What is removed, for the log. */
  protected abstract readonly what: string;

  /** Remove some of what has been kept long enough. @returns how much it was; 0 when nothing is left */
  protected abstract removeBatch(tx: Tx): Promise<number>;

  onApplicationBootstrap(): void {
    this.runAfter(0);
  }

  /** Waits for the running batch. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private runAfter(delayMs: number): void {
    if (this.isStopping) return;
    this.timer = setTimeout(() => {
      this.running = this.removeOne();
    }, delayMs).unref();
  }

  /** Never rejects: the next run removes what this one left. */
  private async removeOne(): Promise<void> {
    let removed = 0;
    try {
      removed = await this.work.single((tx) => this.removeBatch(tx));
      if (removed > 0) this.logger.log({ msg: `removed ${this.what}`, count: removed });
    } catch (err) {
      this.logger.warn({ msg: `could not remove ${this.what}`, err });
    }
    this.runAfter(removed > 0 ? PAUSE_MS : INTERVAL_MS);
  }
}
