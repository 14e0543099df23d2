import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { readEnvironment, StartError } from './config/env.js';
import type { Environment } from './config/settings.js';
import { createApp } from './create-app.js';
import { createLogger } from './common/logger.js';
import { migrate, openDatabase } from './database/open-database.js';

/** Requests that are still running when the service is asked to stop get this long to end. */
const STOP_TIMEOUT_MS = 15_000;
/** What is left of them after their connections were cut gets this long. */
const CUT_OFF_TIMEOUT_MS = 3_000;

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

  const { url, environment, close } = await openDatabase(settings, { role: 'service', say }).catch(
    (error: unknown) => {
      // Ctrl-C reaches the programs that create the database too; that they fail is then no news.
      if (stop.aborted) throw new StoppedError();
      throw error;
    },
  );
  try {
    expectNotStopped(stop);
    const applied = await migrate(url, environment);
    if (applied.length > 0) say(`Brought the database up to date (${applied.length} migrations).`);
    expectNotStopped(stop);
    const app = await createApp({ environment, databaseUrl: url, logger });
    try {
      await listen(app, environment);
      say(`Listening on ${await app.getUrl()}. Stop with Ctrl-C.`);
      if (!stop.aborted) await once(stop, 'abort');
      say('Stopping …');
    } finally {
      await closeApp(app);
    }
  } finally {
    await close();
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

async function listen(app: NestFastifyApplication, { PORT, HOST }: Environment): Promise<void> {
  try {
    await app.listen(PORT, HOST);
  } catch (cause) {
    throw cannotListen(PORT, HOST, cause);
  }
}

function cannotListen(port: number, host: string, cause: unknown): StartError {
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

try {
  await start();
} catch (error) {
  if (error instanceof StoppedError) {
    say('Stopped before the start was complete.');
  } else {
    const sentence = error instanceof StartError ? error.message : ((error as Error).stack ?? String(error));
    process.stderr.write(`${sentence}\n`);
    process.exitCode = 1;
  }
}
// Nothing is left to do; a connection that does not end must not keep the process.
setTimeout(() => process.exit(), CUT_OFF_TIMEOUT_MS).unref();
