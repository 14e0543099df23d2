import { register } from 'prom-client';
import { createLogger } from '../common/logger.js';
import { ignoreOutputErrors } from '../common/standard-output.js';
import { StartError } from '../config/env.js';
import { serveHere, type Serving } from '../http/serve.js';
import type { WorkerOrder, WorkerReport } from './worker-process.js';

/**
 * One of several processes that share the port; the primary process (main.ts) tells it what to do. When the primary is
 * gone, Node.js ends it at once: nobody would hand it connections any more.
 */

let serving: Promise<Serving> | undefined;
let ending: Promise<never> | undefined;

/** @returns when the primary process has been told, or cannot be */
function report(message: WorkerReport): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, undefined, () => {
      resolve();
    });
  });
}

async function obey(message: WorkerOrder): Promise<void> {
  if (message.order === 'serve') await serve(message);
  if (message.order === 'tell_figures') await tellFigures();
  if (message.order === 'stop') await end();
}

async function serve({ databaseUrl, environment }: Extract<WorkerOrder, { order: 'serve' }>): Promise<void> {
  const logger = createLogger(environment.LOG_LEVEL);
  // A rejection that nobody handled arrives here too. What is running is answered; the primary replaces this process.
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught failure, stopping');
    process.exitCode = 1;
    void end();
  });
  try {
    serving = serveHere({ databaseUrl, environment, logger });
    await report({ report: 'serving', url: (await serving).url });
  } catch (error) {
    if (!(error instanceof StartError)) logger.fatal({ err: error }, 'the worker cannot start');
    const sentence = error instanceof StartError ? error.message : 'A worker process could not start.';
    await report({ report: 'failed', sentence });
    process.exitCode = 1;
    await end();
  }
}

async function tellFigures(): Promise<void> {
  await report({ report: 'figures', figures: await register.getMetricsAsJSON() });
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
  // What was counted since they were last asked for would be missing from the sum.
  await tellFigures();
  process.exit();
}

ignoreOutputErrors();
process.on('message', (message: WorkerOrder) => {
  void obey(message);
});
// A terminal's Ctrl-C reaches every process; the primary process says when it is time.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
void report({ report: 'ready' });
