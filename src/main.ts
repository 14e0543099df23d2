import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Logger } from 'pino';
import { readEnvironment, StartError } from './config/env.js';
import type { Environment } from './config/settings.js';
import type { AppOptions } from './http/create-app.js';
import { createDemonstration } from './demonstration/demonstration.js';
import { serveMetrics, type MetricsServer } from './http/metrics-server.js';
import { cannotListen, CUT_OFF_TIMEOUT_MS, serveHere, type Serving } from './http/serve.js';
import { expectDocumentFolder } from './documents/open-document-store.js';
import { serveWithWorkers } from './cluster/primary.js';
import { createLogger } from './common/logger.js';
import { ignoreOutputErrors } from './common/standard-output.js';
import { databaseComplaint } from './common/sql-state.js';
import { createContext } from './cli/operator.module.js';
import { migrate, openDatabase } from './database/open-database.js';

/** For people: steps of the start, and what to do next. The log goes to standard error. */
function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

async function start(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const settings = readEnvironment(process.env);
  const logger = createLogger(settings.LOG_LEVEL);
  const stop = stopRequests(logger);
  await expectFreePort(settings);
  await expectDocumentFolder(settings);

  const { url, environment, isEmbedded, close } = await openDatabase(settings, {
    role: 'service',
    say,
  }).catch((error: unknown) => {
    // Ctrl-C reaches the programs that create the database too; that they fail is then no news.
    if (stop.aborted) throw new StoppedError();
    throw error;
  });
  try {
    expectNotStopped(stop);
    const applied = await migrate(url, environment);
    if (applied.length > 0) say(`Brought the database up to date (${applied.length} migrations).`);
    expectNotStopped(stop);
    const options = { environment, databaseUrl: url, logger };
    const serving = await (environment.WEB_CONCURRENCY > 1 ? serveWithWorkers(options) : serveHere(options));
    let metrics: MetricsServer | undefined;
    try {
      metrics = await serveMetrics(environment, serving.metrics);
      if (isEmbedded) await offerDemonstration(options, serving);
      if (metrics) say(`The metrics are at ${metrics.url}.`);
      say(`Listening on ${serving.url}. Stop with Ctrl-C.`);
      await goOn(serving, stop);
      say('Stopping …');
    } finally {
      metrics?.close();
      await serving.stop();
    }
  } finally {
    await close();
  }
}

/**
 * Wait until the service has to stop.
 *
 * @throws StartError when it cannot go on
 */
async function goOn({ gaveUp }: Serving, stop: AbortSignal): Promise<void> {
  if (stop.aborted) return;
  const stopped = once(stop, 'abort').then(() => undefined);
  const why = await Promise.race(gaveUp ? [gaveUp, stopped] : [stopped]);
  if (why) throw why;
}

/**
 * A database of our own that is empty gets something to try, and the commands to try it with. Whatever goes wrong with
 * that, the service has callers to serve.
 */
async function offerDemonstration(options: AppOptions, { url, app }: Serving): Promise<void> {
  try {
    const context = app ?? (await createContext(options));
    try {
      const steps = await createDemonstration(context, url);
      if (steps !== undefined) say(steps);
    } finally {
      if (context !== app) await context.close();
    }
  } catch (error) {
    options.logger.warn({ err: error }, 'the demonstration is not finished; the next start tries again');
  }
}

/** The service was asked to stop before it had started. */
class StoppedError extends Error {}

function expectNotStopped(stop: AbortSignal): void {
  if (stop.aborted) throw new StoppedError();
}

/**
 * Aborted when the service has to stop: by a signal, or because of a failure that nobody caught, which leaves the
 * process in a state that cannot be trusted.
 *
 * A signal may come twice, from the terminal and from npm; all but the first mean nothing, for stopping takes its
 * limited time anyway.
 */
function stopRequests(logger: Logger): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop.abort();
    });
  }
  // A rejection that nobody handled arrives here too.
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught failure, stopping');
    process.exitCode = 1;
    stop.abort();
  });
  return stop.signal;
}

/** Said before a database is started in vain. */
async function expectFreePort({ PORT, HOST }: Environment): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen(PORT, HOST), 'listening');
  } catch (cause) {
    throw cannotListen(PORT, HOST, cause);
  }
  probe.close();
  await once(probe, 'close');
}

ignoreOutputErrors();
try {
  await start();
} catch (error) {
  if (error instanceof StoppedError) {
    say('Stopped before the start was complete.');
  } else {
    const sentence = error instanceof StartError ? error.message : databaseComplaint(error)?.sentence;
    process.stderr.write(`${sentence ?? (error as Error).stack ?? String(error)}\n`);
    process.exitCode = 1;
  }
}
// Nothing is left to do; a connection that does not end must not keep the process.
setTimeout(() => process.exit(), CUT_OFF_TIMEOUT_MS).unref();
