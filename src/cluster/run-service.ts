import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Logger } from 'pino';
import { createLogger } from '../common/logger.js';
import { databaseComplaint } from '../common/sql-state.js';
import { readEnvironment, StartError } from '../config/env.js';
import type { Environment } from '../config/settings.js';
import type { EmbeddedPostgresTimes } from '../database/embedded/embedded-postgres.js';
import { migrate, openDatabase, type OpenDatabase } from '../database/open-database.js';
import { expectDocumentFolder } from '../documents/open-document-store.js';
import { serveMetrics, type MetricsServer } from '../http/metrics-server.js';
import { cannotListen, CUT_OFF_TIMEOUT_MS, type ServeOptions, type Serving } from '../http/serving.js';
import { offerDemonstration } from './offer-demonstration.js';
import { serveWithWorkers, type ClusterOptions } from './primary.js';

/** Times that tests shorten; the defaults are in http/serving.ts, restart-backoff.ts and embedded-postgres.ts. */
export interface ServiceTimes extends Pick<
  ClusterOptions,
  'stopTimeoutMs' | 'cutOffTimeoutMs' | 'restartDelayMs'
> {
  readonly postgres?: EmbeddedPostgresTimes;
}

/** For people: the steps of the start, and what to do next. The log goes to standard error. */
function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

/**
 * Run the service until a signal stops it or it cannot continue, then let the process end: with exit code 1 and a
 * sentence on standard error when it failed.
 *
 * @param variables environment variables with the settings
 * Source: choices, section 6.
 */
export async function runService(variables: NodeJS.ProcessEnv, times: ServiceTimes = {}): Promise<void> {
  try {
    await startAndWait(readEnvironment(variables), times);
  } catch (error) {
    if (error instanceof StoppedError) {
      say('Stopped before the start was complete.');
    } else {
      const sentence = error instanceof StartError ? error.message : databaseComplaint(error)?.sentence;
      process.stderr.write(`${sentence ?? (error as Error).stack ?? String(error)}\n`);
      process.exitCode = 1;
    }
  }
  // A connection that does not end must not keep the process.
  setTimeout(() => process.exit(), CUT_OFF_TIMEOUT_MS).unref();
}

async function startAndWait(settings: Environment, { postgres, ...times }: ServiceTimes): Promise<void> {
  const logger = createLogger(settings.LOG_LEVEL);
  const stop = stopSignal(logger);
  await expectFreePort(settings);
  await expectDocumentFolder(settings);
  const use = { role: 'service', say, signal: stop, times: postgres } as const;
  const database = await openDatabase(settings, use).catch((error: unknown) => {
    // Ctrl-C also reaches the programs that create the database; their failure is then no error.
    if (stop.aborted) throw new StoppedError();
    throw error;
  });
  try {
    expectNotStopped(stop);
    const applied = await migrate(database.url, database.environment);
    if (applied.length > 0) say(`Brought the database up to date (${applied.length} migrations).`);
    expectNotStopped(stop);
    await serve(database, { logger, ...times }, stop);
  } finally {
    await database.close();
  }
}

async function serve(
  { url: databaseUrl, environment, isEmbedded, gaveUp }: OpenDatabase,
  rest: Omit<ClusterOptions, 'environment' | 'databaseUrl'>,
  stop: AbortSignal,
): Promise<void> {
  const options = { environment, databaseUrl, ...rest };
  const serving = await (environment.WEB_CONCURRENCY > 1 ? serveWithWorkers(options) : serveAlone(options));
  let metrics: MetricsServer | undefined;
  try {
    metrics = await serveMetrics(environment, serving.metrics);
    if (isEmbedded) await offerDemonstration(serving, options, say);
    if (metrics) say(`The metrics are at ${metrics.url}.`);
    say(`Listening on ${serving.url}. Stop with Ctrl-C.`);
    await untilStopped([serving.gaveUp, gaveUp], stop);
    say('Stopping …');
  } finally {
    metrics?.close();
    await serving.stop();
  }
}

/** The application takes seconds to load, and a start that fails before does without it. */
async function serveAlone(options: ServeOptions): Promise<Serving> {
  const { serveHere } = await import('../http/serve.js');
  return serveHere(options);
}

/** @throws StartError when the service cannot continue */
async function untilStopped(
  gaveUp: readonly (Promise<StartError> | undefined)[],
  stop: AbortSignal,
): Promise<void> {
  if (stop.aborted) return;
  const stopped = once(stop, 'abort').then(() => undefined);
  const error = await Promise.race([...gaveUp.filter((each) => each !== undefined), stopped]);
  if (error) throw error;
}

/** The service was stopped before it had started. */
class StoppedError extends Error {}

function expectNotStopped(stop: AbortSignal): void {
  if (stop.aborted) throw new StoppedError();
}

/**
 * Aborted by a signal, or by an uncaught failure, after which the state of the process cannot be trusted.
 *
 * The terminal and npm may each send a signal; all but the first have no effect, because a stop takes a limited time.
 */
function stopSignal(logger: Logger): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop.abort();
    });
  }
  // Emitted for unhandled rejections too.
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught failure, stopping');
    process.exitCode = 1;
    stop.abort();
  });
  return stop.signal;
}

/** Checked before a database is started for nothing. */
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
