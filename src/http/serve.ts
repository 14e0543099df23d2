import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { register } from 'prom-client';
import type { Environment } from '../config/settings.js';
import { DocumentStore } from '../documents/document-store.js';
import { createApp } from './create-app.js';
import {
  cannotListen,
  CUT_OFF_TIMEOUT_MS,
  endsWithin,
  STOP_TIMEOUT_MS,
  type ServeOptions,
  type Serving,
} from './serving.js';

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
