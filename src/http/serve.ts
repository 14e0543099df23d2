import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { register } from 'prom-client';
import { StartError } from '../config/env.js';
import type { Environment } from '../config/settings.js';
import { DocumentStore } from '../documents/document-store.js';
import { createApp, type AppOptions } from './create-app.js';

/** Requests that are running when the service stops may take this long. */
export const STOP_TIMEOUT_MS = 15_000;
/** After that their connections are closed, and what they still do may take this long. */
export const CUT_OFF_TIMEOUT_MS = 3_000;

/** The listening service, in this process or in several. */
export interface Serving {
  readonly url: string;
  /** The application, when it runs in this process. */
  readonly app?: INestApplicationContext;
  /** The metrics of all requests in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** Resolves when the service cannot continue; the message says why. */
  readonly gaveUp?: Promise<StartError>;
  /** Accept no more requests, answer those that are running, and end. */
  readonly stop: () => Promise<void>;
}

export interface ServeOptions extends AppOptions {
  readonly stopTimeoutMs?: number;
  readonly cutOffTimeoutMs?: number;
}

/**
 * Serve in this process.
 *
 * @throws StartError when the port is not available, or the document store cannot be opened
 */
export async function serveHere(options: ServeOptions): Promise<Serving> {
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
    stop: () => closeApp(app, options),
  };
}

/**
 * New connections that the operating system keeps until the service accepts them; it may keep fewer (`somaxconn`). With
 * those of Node.js, 511, a burst of one client makes the connections of others wait for a second or more.
 */
const BACKLOG = 4_096;

async function listen(app: NestFastifyApplication, { PORT, HOST }: Environment): Promise<void> {
  try {
    await app.listen({ port: PORT, host: HOST, backlog: BACKLOG });
  } catch (cause) {
    throw cannotListen(PORT, HOST, cause);
  }
}

/** The error of a port that is not available. */
export function cannotListen(port: number, host: string, cause: unknown): StartError {
  const { code, message } = cause as { code?: string; message: string };
  const reason =
    code === 'EADDRINUSE'
      ? 'another program listens there already; stop it, or choose another PORT'
      : message;
  return new StartError(`The service cannot listen on ${host}:${port}: ${reason}.`, { cause });
}

async function closeApp(
  app: NestFastifyApplication,
  { stopTimeoutMs = STOP_TIMEOUT_MS, cutOffTimeoutMs = CUT_OFF_TIMEOUT_MS }: ServeOptions,
): Promise<void> {
  const closing = app.close();
  if (await endsWithin(closing, stopTimeoutMs)) return;
  process.stderr.write('Requests were still running and are cut off.\n');
  app.getHttpServer().closeAllConnections();
  await endsWithin(closing, cutOffTimeoutMs);
}

/** @returns whether the promise was fulfilled in time */
export async function endsWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  try {
    return await Promise.race([work.then(() => true), delay(timeoutMs, false, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
