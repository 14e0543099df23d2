import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createLogger } from '../../../infrastructure/log/logger.js';
import { databaseComplaint } from '../../../infrastructure/errors/sql-state.js';
import { mistypedSettings, readEnvironment, StartError } from '../../../infrastructure/config/env.js';
import type { Environment } from '../../../infrastructure/config/settings.js';
import type { EmbeddedPostgresOptions } from '../../../infrastructure/database/embedded/embedded-postgres.js';
import { migrate, openDatabase, type OpenDatabase } from '../../../infrastructure/database/open-database.js';
import { expectDocumentFolder } from '../../../documents/open-document-store.js';
import { serveMetrics, type MetricsServer } from '../metrics-server.js';
import { offerFirstSteps } from './offer-first-steps.js';
import { ServiceServer } from '../service-server.js';
import { CUT_OFF_TIMEOUT_MS, type ServeOptions } from '../serving.js';
import { startingAnswers } from '../starting-answers.js';

/** Times that tests shorten. The defaults are in apps/http/serving.ts and embedded-postgres.ts. */
export interface ServiceTimes extends Pick<ServeOptions, 'stopTimeoutMs' | 'cutOffTimeoutMs'> {
  readonly postgres?: Pick<EmbeddedPostgresOptions, 'sayAfterMs' | 'logCheckMs'>;
}

/** Print for people: the steps of the start and the next thing to do. The log goes to standard error. */
function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

/**
 * Run the service until a signal stops it or it cannot continue, then let the process end. After a failure the exit code is 1 and
 * standard error has a sentence.
 *
 * @param variables environment variables with the settings
 * Source: choices, section 6.
 */
export async function runService(variables: NodeJS.ProcessEnv, times: ServiceTimes = {}): Promise<void> {
  try {
    // Before the settings are read: what is missing may be what is mistyped.
    for (const sentence of mistypedSettings(variables)) createLogger('warn').warn(sentence);
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
  // A connection that stays open must not keep the process alive.
  setTimeout(() => process.exit(), CUT_OFF_TIMEOUT_MS).unref();
}

async function startAndWait(settings: Environment, { postgres, ...times }: ServiceTimes): Promise<void> {
  const logger = createLogger(settings.LOG_LEVEL);
  const stops = stopSignals(logger);
  const { stop } = stops;
  // Listen first: a port in use is found before a database is started for nothing, and clients get answers during the start.
  const server = new ServiceServer();
  await server.open(
    settings,
    startingAnswers(logger, () => stop.aborted),
  );
  try {
    await expectDocumentFolder(settings);
    const use = { role: 'service', say, signal: stop, ...postgres } as const;
    const database = await openDatabase(settings, use).catch((error: unknown) => {
      // Ctrl-C also reaches the programs that create the database. Their failure is then not an error.
      stop.throwIfAborted();
      throw error;
    });
    try {
      stop.throwIfAborted();
      const applied = await migrate(database.url, database.environment);
      if (applied.length > 0) say(`Brought the database up to date (${applied.length} migrations).`);
      if (database.isEmbedded) await noticeMoveOf(database);
      stop.throwIfAborted();
      await serve(database, { logger, server, ...times }, stops);
    } finally {
      await database.close();
    }
  } finally {
    server.close();
  }
}

async function noticeMoveOf({ url, environment }: OpenDatabase): Promise<void> {
  const { noticeMove } = await import('../../../capabilities/restored/notice-move.js');
  await noticeMove(url, environment, say);
}

async function serve(
  { url: databaseUrl, environment, isEmbedded, ended }: OpenDatabase,
  rest: Omit<ServeOptions, 'environment' | 'databaseUrl'>,
  stops: StopSignals,
): Promise<void> {
  const options = { environment, databaseUrl, ...rest };
  // The application takes seconds to load, so a start that fails earlier does not load it.
  const { serveHere } = await import('../serve.js');
  const serving = await serveHere(options);
  let metrics: MetricsServer | undefined;
  try {
    stops.stop.throwIfAborted();
    metrics = await serveMetrics(environment);
    if (isEmbedded) await offerFirstSteps(serving, options, say);
    if (metrics) say(`The metrics are at ${metrics.url}.`);
    say(`Listening on ${serving.url}. Stop with Ctrl-C.`);
    await untilOver(ended, untilAborted(stops.stop));
    serving.drain();
    await untilOver(ended, drained(environment, stops.failure));
    say('Stopping …');
  } finally {
    await serving.stop();
    metrics?.close();
  }
}

/** Resolves after requests have been served for another DRAIN_SECONDS, or at once when the process cannot be trusted. */
async function drained({ DRAIN_SECONDS }: Environment, signal: AbortSignal): Promise<void> {
  if (DRAIN_SECONDS === 0 || signal.aborted) return;
  say(`Stopping in ${DRAIN_SECONDS} s; until then requests are served …`);
  await delay(DRAIN_SECONDS * 1_000, undefined, { signal }).catch(() => undefined);
}

/** @throws StartError when the service cannot continue */
async function untilOver(ended: Promise<StartError> | undefined, end: Promise<void>): Promise<void> {
  const error = await Promise.race([...(ended ? [ended] : []), end.then(() => undefined)]);
  if (error) throw error;
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Thrown when the service is told to stop before it has started. */
class StoppedError extends Error {}

interface StopSignals {
  /** Aborted by a signal or an uncaught error. */
  readonly stop: AbortSignal;
  /** Aborted by an uncaught error, after which the state of the process cannot be trusted. */
  readonly failure: AbortSignal;
}

/** The terminal and npm may each send a signal. Only the first has an effect; the stop takes a limited time anyway. */
function stopSignals(logger: Logger): StopSignals {
  const [stop, failure] = [new AbortController(), new AbortController()];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop.abort(new StoppedError());
    });
  }
  // Emitted for unhandled rejections too.
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught failure, stopping');
    process.exitCode = 1;
    failure.abort();
    stop.abort(new StoppedError());
  });
  return { stop: stop.signal, failure: failure.signal };
}
