import { existsSync } from 'node:fs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readEnvironment, StartError } from './config/env.js';
import type { Environment } from './config/settings.js';
import { createApp } from './create-app.js';
import { createLogger } from './common/logger.js';
import { migrate, openDatabase } from './database/open-database.js';

/** Requests that are still running when the service is asked to stop get this long to end. */
const STOP_TIMEOUT_MS = 15_000;

/** For people: steps of the start, and what to do next. The log goes to standard error. */
function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

async function start(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const settings = readEnvironment(process.env);
  const stopped = new AbortController();
  const stopping = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        stopped.abort();
        resolve();
      });
    }
  });

  const { url, environment, close } = await openDatabase(settings, { role: 'service', say });
  try {
    const applied = await migrate(url, environment);
    if (applied.length > 0) say(`Brought the database up to date (${applied.length} migrations).`);
    if (stopped.signal.aborted) return;
    const app = await createApp({
      environment,
      databaseUrl: url,
      logger: createLogger(environment.LOG_LEVEL),
    });
    try {
      await listen(app, environment);
      say(`Listening on ${await app.getUrl()}. Stop with Ctrl-C.`);
      await stopping;
      say('Stopping …');
    } finally {
      await stopWithin(app.close());
    }
  } finally {
    await close();
  }
}

async function listen(app: NestFastifyApplication, { PORT, HOST }: Environment): Promise<void> {
  try {
    await app.listen(PORT, HOST);
  } catch (cause) {
    const { code, message } = cause as { code?: string; message: string };
    const reason =
      code === 'EADDRINUSE'
        ? 'another program listens there already; stop it, or choose another PORT'
        : message;
    throw new StartError(`The service cannot listen on ${HOST}:${PORT}: ${reason}.`, { cause });
  }
}

async function stopWithin(closing: Promise<void>): Promise<void> {
  const timer = setTimeout(() => {
    process.stderr.write('Requests were still running and are cut off.\n');
    process.exit(0);
  }, STOP_TIMEOUT_MS);
  await closing;
  clearTimeout(timer);
}

try {
  await start();
} catch (error) {
  const sentence = error instanceof StartError ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
