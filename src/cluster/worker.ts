import { register } from 'prom-client';
import { BackgroundJob } from '../common/background-job.js';
import { createLogger } from '../common/logger.js';
import { ignoreOutputErrors } from '../common/standard-output.js';
import { StartError } from '../config/env.js';
import { serveHere } from '../http/serve.js';
import type { Serving } from '../http/serving.js';
import type { PrimaryMessage, WorkerMessage, WorkerOptions } from './worker-process.js';

/**
 * Entry point of a worker process, one of several that share the port. It does what the primary process requests in
 * messages. Node.js ends it when the primary process is gone, because nobody would pass connections to it.
 */

/** Metrics are sent this often; a worker that is killed takes no more than these counts with it. */
const METRICS_INTERVAL_MS = 1_000;

let serving: Promise<Serving> | undefined;
/** Called when the primary process has left the port. */
let mayListen: (() => void) | undefined;
let ending: Promise<never> | undefined;

/** @returns when the message was sent, or cannot be sent */
function send(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, undefined, () => {
      resolve();
    });
  });
}

async function handle(message: PrimaryMessage): Promise<void> {
  if (message.type === 'serve') await serve(message.options);
  if (message.type === 'listen') mayListen?.();
  if (message.type === 'drain') (await serving?.catch(() => undefined))?.drain();
  if (message.type === 'stop') await end();
}

async function serve(options: WorkerOptions): Promise<void> {
  const logger = createLogger(options.environment.LOG_LEVEL);
  // Emitted for unhandled rejections too. Running requests are answered; the primary process replaces this one.
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught failure, stopping');
    process.exitCode = 1;
    void end();
  });
  try {
    serving = serveHere({ ...options, logger }, () => {
      const isAllowed = new Promise<void>((resolve) => {
        mayListen = resolve;
      });
      return send({ type: 'loaded' }).then(() => isAllowed);
    });
    await send({ type: 'serving', url: (await serving).url });
    if (options.environment.METRICS_PORT !== undefined) {
      new BackgroundJob({
        intervalMs: METRICS_INTERVAL_MS,
        run: sendMetrics,
        onFailure: (err) => {
          logger.warn({ err }, 'the metrics could not be sent to the primary process');
        },
      }).start();
    }
  } catch (error) {
    if (!(error instanceof StartError)) logger.fatal({ err: error }, 'the worker cannot start');
    const sentence = error instanceof StartError ? error.message : 'A worker process could not start.';
    await send({ type: 'failed', sentence });
    process.exitCode = 1;
    await end();
  }
}

async function sendMetrics(): Promise<void> {
  await send({ type: 'metrics', metrics: await register.getMetricsAsJSON() });
}

function end(): Promise<never> {
  ending ??= stopAndExit();
  return ending;
}

async function stopAndExit(): Promise<never> {
  const running = await serving?.catch(() => undefined);
  try {
    await running?.stop();
  } catch (error) {
    process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
    process.exitCode = 1;
  }
  // Otherwise the sum would lack what was counted since the metrics were last sent.
  await sendMetrics();
  process.exit();
}

ignoreOutputErrors();
process.on('message', (message: PrimaryMessage) => {
  void handle(message);
});
// Ctrl-C in a terminal reaches every process; the primary process decides when its workers stop.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
void send({ type: 'ready' });
