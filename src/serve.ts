import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { StartError } from './config/env.js';
import type { Environment } from './config/settings.js';
import { createApp, type AppOptions } from './create-app.js';

/** Requests that are still running when the service is asked to stop get this long to end. */
const STOP_TIMEOUT_MS = 15_000;
/** What is left of them after their connections were cut gets this long. */
export const CUT_OFF_TIMEOUT_MS = 3_000;
/** A worker that ends by itself is replaced after this. */
const RESTART_DELAY_MS = 500;

/** The listening service, in this process or in several. */
export interface Serving {
  readonly url: string;
  /** The rooms, where they are in this process. */
  readonly app?: INestApplicationContext;
  /** Stop taking requests, answer those that are running, end. */
  readonly stop: () => Promise<void>;
}

/**
 * Serve in this very process.
 *
 * @throws StartError when the port cannot be had
 */
export async function serveHere(options: AppOptions): Promise<Serving> {
  const app = await createApp(options);
  try {
    await listen(app, options.environment);
  } catch (error) {
    await app.close();
    throw error;
  }
  return { url: await app.getUrl(), app, stop: () => closeApp(app) };
}

/** What the primary process tells a worker. Settings travel this way, for they hold secrets. */
export type WorkerOrder =
  | { readonly order: 'serve'; readonly databaseUrl: string; readonly environment: Environment }
  | { readonly order: 'stop' };

/** What a worker tells the primary process. */
export type WorkerReport =
  { readonly isReadyForOrders: true } | { readonly url: string } | { readonly failure: string };

/**
 * Serve with several worker processes that share the port. A worker that ends by itself is replaced; one that cannot
 * even start ends the start.
 *
 * Source: the setting WEB_CONCURRENCY.
 */
export async function serveWithWorkers({ environment, databaseUrl, logger }: AppOptions): Promise<Serving> {
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./worker.js', import.meta.url)), args: [] });
  let isStopping = false;
  const begin = async (): Promise<string> => {
    const worker = cluster.fork();
    worker.once('exit', (code, signal) => {
      if (isStopping) return;
      logger.error({ worker: worker.process.pid, code, signal }, 'a worker ended and is replaced');
      delay(RESTART_DELAY_MS)
        .then(begin)
        .catch((error: unknown) => {
          logger.error({ err: error }, 'a worker could not be replaced');
        });
    });
    // An order that comes before the worker has loaded would be lost.
    await reportOf(worker);
    order(worker, { order: 'serve', databaseUrl, environment });
    return addressOf(worker);
  };
  const stop = async (): Promise<void> => {
    isStopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      workers.map(async (worker) => {
        const ended = once(worker, 'exit');
        if (worker.isConnected()) order(worker, { order: 'stop' });
        await ended;
      }),
    );
  };
  try {
    const urls = await Promise.all(Array.from({ length: environment.WEB_CONCURRENCY }, begin));
    return { url: urls[0] ?? '', stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function order(worker: Worker, message: WorkerOrder): void {
  // A worker that cannot be reached any more has ended, which its exit tells.
  worker.send(message, () => undefined);
}

async function addressOf(worker: Worker): Promise<string> {
  const report = await reportOf(worker);
  if ('url' in report) return report.url;
  throw new StartError('failure' in report ? report.failure : 'A worker process is not ready.');
}

/** The next thing that a worker says. */
async function reportOf(worker: Worker): Promise<WorkerReport> {
  const ended = new AbortController();
  worker.once('exit', () => {
    ended.abort();
  });
  try {
    const [report] = (await once(worker, 'message', { signal: ended.signal })) as [WorkerReport];
    return report;
  } catch (cause) {
    throw new StartError('A worker process ended before it was ready.', { cause });
  }
}

async function listen(app: NestFastifyApplication, { PORT, HOST }: Environment): Promise<void> {
  try {
    await app.listen(PORT, HOST);
  } catch (cause) {
    throw cannotListen(PORT, HOST, cause);
  }
}

/** The sentence for a port that cannot be had. */
export function cannotListen(port: number, host: string, cause: unknown): StartError {
  const { code, message } = cause as { code?: string; message: string };
  const reason =
    code === 'EADDRINUSE'
      ? 'another program listens there already; stop it, or choose another PORT'
      : message;
  return new StartError(`The service cannot listen on ${host}:${port}: ${reason}.`, { cause });
}

async function closeApp(app: NestFastifyApplication): Promise<void> {
  const closing = app.close();
  if (await endsWithin(closing, STOP_TIMEOUT_MS)) return;
  process.stderr.write('Requests were still running and are cut off.\n');
  app.getHttpServer().closeAllConnections();
  await endsWithin(closing, CUT_OFF_TIMEOUT_MS);
}

async function endsWithin(work: Promise<void>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  try {
    return await Promise.race([work.then(() => true), delay(timeoutMs, false, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
