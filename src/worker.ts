import { createLogger } from './common/logger.js';
import { StartError } from './config/env.js';
import { serveHere, type Serving, type WorkerOrder, type WorkerReport } from './serve.js';

/** One of several processes that share the port; the primary process (main.ts) tells it what to do. */

let serving: Promise<Serving> | undefined;

function report(message: WorkerReport): void {
  process.send?.(message);
}

async function serve({ databaseUrl, environment }: Extract<WorkerOrder, { order: 'serve' }>): Promise<void> {
  const logger = createLogger(environment.LOG_LEVEL);
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught failure, stopping');
    process.exitCode = 1;
    void end();
  });
  try {
    serving = serveHere({ databaseUrl, environment, logger });
    report({ url: (await serving).url });
  } catch (error) {
    if (!(error instanceof StartError)) logger.fatal({ err: error }, 'the worker cannot start');
    report({ failure: error instanceof StartError ? error.message : 'A worker process could not start.' });
  }
}

async function end(): Promise<void> {
  const running = await serving?.catch(() => undefined);
  await running?.stop();
  process.exit();
}

process.on('message', (message: WorkerOrder) => {
  void (message.order === 'serve' ? serve(message) : end());
});
// A terminal's Ctrl-C reaches every process; the primary process says when it is time.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => {
  void end();
});
report({ isReadyForOrders: true });
