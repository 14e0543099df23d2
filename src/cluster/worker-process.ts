import cluster from 'node:cluster';
import { StartError } from '../config/env.js';
import { CUT_OFF_TIMEOUT_MS, endsWithin, STOP_TIMEOUT_MS, type ServeOptions } from '../http/serving.js';
import type { Metrics } from './summed-metrics.js';

const START_TIMEOUT_MS = 120_000;

/** Options of a worker. They are sent as a message, because they contain secrets. */
export type WorkerOptions = Omit<ServeOptions, 'logger' | 'server'>;

/** What the primary process sends to a worker. */
export type PrimaryMessage =
  | { readonly type: 'serve'; readonly options: WorkerOptions }
  | { readonly type: 'listen' }
  | { readonly type: 'drain' }
  | { readonly type: 'stop' };

/** What a worker sends to the primary process. A message that arrives before `ready` would be lost. */
export type WorkerMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'loaded' }
  | { readonly type: 'serving'; readonly url: string }
  | { readonly type: 'failed'; readonly sentence: string }
  | { readonly type: 'metrics'; readonly metrics: Metrics };

/** How a worker ended: with an exit code, or by a signal. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A worker process as the primary process sees it. The constructor starts it. */
export class WorkerProcess {
  private readonly worker = cluster.fork();
  private servingSinceMs: number | undefined;
  private isEnding = false;

  /** The metrics it sent last. */
  metrics: Metrics = [];
  readonly ended: Promise<WorkerEnd>;
  /** The address, once it serves; rejected with a StartError when it cannot. */
  readonly serving: Promise<string>;

  /** @param freePort called before it listens */
  constructor(
    private readonly options: WorkerOptions,
    freePort: () => void,
  ) {
    this.ended = new Promise((resolve) => {
      this.worker.once('exit', (code: number | null, signal: string | null) => {
        resolve({ code, signal });
      });
      // Emitted too when a message could not be sent; the worker's end then follows.
      this.worker.on('error', () => {
        if (this.pid === undefined) resolve({ code: null, signal: null });
      });
    });
    this.serving = new Promise((resolve, reject) => {
      this.worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'ready')
          this.send(this.isEnding ? { type: 'stop' } : { type: 'serve', options });
        if (message.type === 'loaded') {
          freePort();
          this.send({ type: 'listen' });
        }
        if (message.type === 'metrics') this.metrics = message.metrics;
        if (message.type === 'failed') reject(new StartError(message.sentence));
        if (message.type === 'serving') {
          this.servingSinceMs = performance.now();
          resolve(message.url);
        }
      });
      void this.ended.then(() => {
        reject(new StartError('A worker process ended before it was ready; the log says why.'));
      });
    });
    void endsWithin(Promise.allSettled([this.serving]), START_TIMEOUT_MS).then((isDecided) => {
      if (!isDecided) this.worker.process.kill('SIGKILL');
    });
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  /** Milliseconds since it began to serve; undefined before. */
  get servedMs(): number | undefined {
    return this.servingSinceMs === undefined ? undefined : performance.now() - this.servingSinceMs;
  }

  /** Let it tell that it stops, and continue to serve; one that does not serve yet ends. */
  drain(): void {
    this.isEnding = true;
    this.send({ type: 'drain' });
  }

  /** Let it answer the running requests and end; kill it when it does not end in time. */
  async stop(): Promise<void> {
    this.isEnding = true;
    this.send({ type: 'stop' });
    const { stopTimeoutMs = STOP_TIMEOUT_MS, cutOffTimeoutMs = CUT_OFF_TIMEOUT_MS } = this.options;
    // The worker needs the first two at most.
    if (await endsWithin(this.ended, stopTimeoutMs + 2 * cutOffTimeoutMs)) return;
    this.worker.process.kill('SIGKILL');
    await this.ended;
  }

  private send(message: PrimaryMessage): void {
    if (this.worker.isConnected()) this.worker.send(message, () => undefined);
  }
}
