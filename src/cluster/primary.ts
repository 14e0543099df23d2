import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartError } from '../config/env.js';
import type { AppOptions } from '../http/create-app.js';
import { RestartBackoff } from './restart-backoff.js';
import type { Serving } from '../http/serve.js';
import { SummedMetrics } from './summed-metrics.js';
import { WorkerProcess } from './worker-process.js';

/**
 * Serve with several worker processes that share the port. A worker that ends by itself is replaced.
 *
 * @throws StartError when one of them cannot start
 * Source: the setting WEB_CONCURRENCY.
 */
export async function serveWithWorkers(options: AppOptions): Promise<Serving> {
  const pool = new WorkerPool(options);
  try {
    return {
      url: await pool.start(),
      metrics: () => pool.metrics(),
      gaveUp: pool.gaveUp,
      stop: () => pool.stop(),
    };
  } catch (error) {
    await pool.stop();
    throw error;
  }
}

class WorkerPool {
  private readonly workers = new Set<WorkerProcess>();
  private readonly pace = new RestartBackoff();
  private readonly figures = new SummedMetrics();
  private readonly stopping = new AbortController();
  private giveUp: (why: StartError) => void;

  readonly gaveUp = new Promise<StartError>((resolve) => {
    this.giveUp = resolve;
  });

  constructor(private readonly options: AppOptions) {
    cluster.setupPrimary({ exec: fileURLToPath(new URL('./worker.js', import.meta.url)), args: [] });
  }

  /** @returns the address they share */
  async start(): Promise<string> {
    const count = this.options.environment.WEB_CONCURRENCY;
    const workers = Array.from({ length: count }, () => this.fork());
    const [url = ''] = await Promise.all(workers.map(({ serving }) => serving));
    for (const worker of workers) void this.keepFilled(worker);
    return url;
  }

  async metrics(): Promise<string> {
    await Promise.all(this.serving.map((worker) => worker.askFigures()));
    // Taken in one go, for a worker that has ended meanwhile is among those whose figures are kept.
    return this.figures.text(this.serving.map(({ figures }) => figures));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([...this.workers].map((worker) => worker.stop()));
  }

  private get serving(): WorkerProcess[] {
    return [...this.workers].filter(({ servedMs }) => servedMs !== undefined);
  }

  private fork(): WorkerProcess {
    const { databaseUrl, environment } = this.options;
    const worker = new WorkerProcess({ databaseUrl, environment });
    this.workers.add(worker);
    void worker.ended.then(() => {
      this.workers.delete(worker);
      this.figures.keep(worker.figures);
    });
    return worker;
  }

  /** Put another worker in the place of one that has ended, until the service stops or gives up. */
  private async keepFilled(place: WorkerProcess): Promise<void> {
    const { logger } = this.options;
    const { signal } = this.stopping;
    let worker = place;
    for (;;) {
      const end = await worker.ended;
      if (signal.aborted) return;
      const delayMs = this.pace.delayAfter(worker.servedMs ?? 0, this.serving.length > 0);
      const facts = { worker: worker.pid, ...end, delay_ms: delayMs };
      if (delayMs === undefined) {
        logger.fatal(facts, 'a worker ended, as did those before it');
        this.giveUp(
          new StartError(
            'The worker processes end again and again right after their start; the log says why.',
          ),
        );
        return;
      }
      logger.error(facts, 'a worker ended and is replaced');
      await delay(delayMs, undefined, { signal }).catch(() => undefined);
      // Read again, for it may have been aborted meanwhile.
      if (this.stopping.signal.aborted) return;
      worker = this.fork();
      worker.serving.catch((error: unknown) => {
        logger.error({ err: error }, 'a worker could not start');
      });
    }
  }
}
