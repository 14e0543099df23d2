import cluster from 'node:cluster';
import { once } from 'node:events';
import { StartError } from '../config/env.js';
import type { AppOptions } from '../http/create-app.js';
import { CUT_OFF_TIMEOUT_MS, endsWithin, STOP_TIMEOUT_MS } from '../http/serve.js';
import type { Figures } from './summed-metrics.js';

/** A worker that does not serve after this is taken for stuck. */
const START_TIMEOUT_MS = 120_000;
/** A worker stops by itself within its two limits; one that has not done so after another one is stuck. */
const STUCK_AFTER_MS = STOP_TIMEOUT_MS + 2 * CUT_OFF_TIMEOUT_MS;
/** A worker is waited for this long when it is asked for its figures. */
const FIGURES_TIMEOUT_MS = 1_000;

/** What the primary process tells a worker. Settings travel this way, for they hold secrets. */
export type WorkerOrder =
  | ({ readonly order: 'serve' } & Omit<AppOptions, 'logger'>)
  | { readonly order: 'tell_figures' }
  | { readonly order: 'stop' };

const STOP: WorkerOrder = { order: 'stop' };

/** What a worker tells the primary process. An order that comes before the worker is ready for it would be lost. */
export type WorkerReport =
  | { readonly report: 'ready' }
  | { readonly report: 'serving'; readonly url: string }
  | { readonly report: 'failed'; readonly sentence: string }
  | { readonly report: 'figures'; readonly figures: Figures };

/** How a worker ended: with an exit code, or by a signal. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A worker as the primary process sees it. It begins to start with its construction. */
export class WorkerProcess {
  private readonly worker = cluster.fork();
  private servesSinceMs: number | undefined;
  private told: Figures = [];
  private isStopping = false;

  readonly ended: Promise<WorkerEnd>;
  /** The address, once it serves; rejected with a StartError when it cannot. */
  readonly serving: Promise<string>;

  constructor(options: Omit<AppOptions, 'logger'>) {
    this.ended = new Promise((resolve) => {
      this.worker.once('exit', (code: number | null, signal: string | null) => {
        resolve({ code, signal });
      });
      // Also said of an order that could not be sent, which is no news: the worker's end tells it.
      this.worker.on('error', () => {
        if (this.pid === undefined) resolve({ code: null, signal: null });
      });
    });
    this.serving = new Promise((resolve, reject) => {
      this.worker.on('message', (report: WorkerReport) => {
        if (report.report === 'ready') this.send(this.isStopping ? STOP : { order: 'serve', ...options });
        if (report.report === 'figures') this.told = report.figures;
        if (report.report === 'failed') reject(new StartError(report.sentence));
        if (report.report === 'serving') {
          this.servesSinceMs = performance.now();
          resolve(report.url);
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

  /** Milliseconds for which it has served; nothing when it does not serve yet. */
  get servedMs(): number | undefined {
    return this.servesSinceMs === undefined ? undefined : performance.now() - this.servesSinceMs;
  }

  /** What it told last of its figures. */
  get figures(): Figures {
    return this.told;
  }

  /** Have it tell its figures now; one that is too busy keeps those that it told last. */
  async askFigures(): Promise<void> {
    this.send({ order: 'tell_figures' });
    // A worker that serves has nothing else to report.
    const signal = AbortSignal.timeout(FIGURES_TIMEOUT_MS);
    await once(this.worker, 'message', { signal }).catch(() => undefined);
  }

  /** Let it answer what is running, and end; it is ended when it does not. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.send(STOP);
    if (await endsWithin(this.ended, STUCK_AFTER_MS)) return;
    this.worker.process.kill('SIGKILL');
    await this.ended;
  }

  private send(order: WorkerOrder): void {
    if (this.worker.isConnected()) this.worker.send(order, () => undefined);
  }
}
