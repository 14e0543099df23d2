import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { register } from 'prom-client';
import { StartError } from '../config/env.js';
import type { Environment } from '../config/settings.js';
import { createApp, type AppOptions } from './create-app.js';
import { DocumentStore } from '../documents/document-store.js';

/** Requests that are still running when the service is asked to stop get this long to end. */
export const STOP_TIMEOUT_MS = 15_000;
/** What is left of them after their connections were cut gets this long. */
export const CUT_OFF_TIMEOUT_MS = 3_000;

/** The listening service, in this process or in several. */
export interface Serving {
  readonly url: string;
  /** The rooms, where they are in this process. */
  readonly app?: INestApplicationContext;
  /** What was measured of all requests, in the text form of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** Fulfilled when it cannot go on by itself; the sentence says why. */
  readonly gaveUp?: Promise<StartError>;
  /** Stop taking requests, answer those that are running, end. */
  readonly stop: () => Promise<void>;
}

/**
 * Serve in this very process.
 *
 * @throws StartError when the port cannot be had, or the document store not be opened
 */
export async function serveHere(options: AppOptions): Promise<Serving> {
  const app = await createApp(options);
  try {
    await app.get(DocumentStore, { strict: false }).open();
    await listen(app, options.environment);
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    url: await app.getUrl(),
    app,
    metrics: () => register.metrics(),
    stop: () => closeApp(app),
  };
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

/** @returns whether the work was done in time */
export async function endsWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  try {
    return await Promise.race([work.then(() => true), delay(timeoutMs, false, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
