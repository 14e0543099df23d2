import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartError } from '../config/env.js';
import type { ServeOptions, Serving } from '../http/serving.js';
import { RestartBackoff } from './restart-backoff.js';
import { SummedMetrics } from './summed-metrics.js';
import { WorkerProcess, type WorkerEnd } from './worker-process.js';

export interface ClusterOptions extends ServeOptions {
  /** First delay of the restart backoff. */
  readonly restartDelayMs?: number;
}

/**
 * Serve with several worker processes that share the port. A worker that ends is replaced.
 *
 * @throws StartError when one of them cannot start
 * Source: the setting WEB_CONCURRENCY.
 */
export async function serveWithWorkers(options: ClusterOptions): Promise<Serving> {
  const primary = new Primary(options);
  try {
    return {
      url: await primary.start(),
      metrics: () => primary.metrics(),
      gaveUp: primary.gaveUp,
      drain: () => {
        primary.drain();
      },
      stop: () => primary.stop(),
    };
  } catch (error) {
    await primary.stop();
    throw error;
  }
}

class Primary {
  private readonly workers = new Set<WorkerProcess>();
  private readonly backoff: RestartBackoff;
  private readonly summedMetrics = new SummedMetrics();
  private readonly stopping = new AbortController();
  private fail: (why: StartError) => void;

  readonly gaveUp = new Promise<StartError>((resolve) => {
    this.fail = resolve;
  });

  constructor(private readonly options: ClusterOptions) {
    this.backoff = new RestartBackoff(options.restartDelayMs);
    cluster.setupPrimary({ exec: fileURLToPath(new URL('./worker.js', import.meta.url)), args: [] });
  }

  /** @returns the address that the workers share */
  async start(): Promise<string> {
    const count = this.options.environment.WEB_CONCURRENCY;
    const workers = Array.from({ length: count }, () => this.fork());
    const [url = ''] = await Promise.all(workers.map(({ serving }) => serving));
    for (const worker of workers) void this.keepReplacing(worker);
    return url;
  }

  metrics(): Promise<string> {
    return this.summedMetrics.text([...this.workers].map(({ metrics }) => metrics));
  }

  /** A worker that ends from now on is not replaced: the next one would be ready when all have to end. */
  drain(): void {
    this.stopping.abort();
    for (const worker of this.workers) worker.drain();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([...this.workers].map((worker) => worker.stop()));
  }

  private fork(): WorkerProcess {
    const { databaseUrl, environment, stopTimeoutMs, cutOffTimeoutMs, server } = this.options;
    const options = { databaseUrl, environment, stopTimeoutMs, cutOffTimeoutMs };
    // A port has one listener: this process, or its workers.
    const worker = new WorkerProcess(options, () => server?.close());
    this.workers.add(worker);
    void worker.ended.then(() => {
      this.workers.delete(worker);
      this.summedMetrics.keep(worker.metrics);
    });
    return worker;
  }

  /** Replace a worker that ended, and each of its successors, until the service stops or ends. */
  private async keepReplacing(first: WorkerProcess): Promise<void> {
    const { signal } = this.stopping;
    for (let worker = first; ; worker = this.replacement()) {
      const end = await worker.ended;
      if (signal.aborted) return;
      const delayMs = this.delayAfter(worker, end);
      if (delayMs === undefined) return;
      const isDue = await delay(delayMs, true, { signal }).catch(() => false);
      if (!isDue) return;
    }
  }

  /** @returns undefined when the service ends */
  private delayAfter(worker: WorkerProcess, end: WorkerEnd): number | undefined {
    const hasOthers = [...this.workers].some(({ servedMs }) => servedMs !== undefined);
    const delayMs = this.backoff.delayAfter(worker.servedMs ?? 0, hasOthers);
    const details = { worker: worker.pid, ...end, delay_ms: delayMs };
    if (delayMs !== undefined) {
      this.options.logger.error(details, 'a worker ended and is replaced');
      return delayMs;
    }
    this.options.logger.fatal(details, 'a worker ended, as did those before it');
    this.fail(
      new StartError('The worker processes end again and again right after their start; the log says why.'),
    );
    return undefined;
  }

  private replacement(): WorkerProcess {
    const worker = this.fork();
    worker.serving.catch((error: unknown) => {
      this.options.logger.error({ err: error }, 'a worker could not start');
    });
    return worker;
  }
}
