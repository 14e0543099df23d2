import { setTimeout as delay } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentStore } from '../../documents/document-store.js';
import { HealthService } from '../../infrastructure/health/health.service.js';
import { createApp } from './create-app.js';
import { CUT_OFF_TIMEOUT_MS, STOP_TIMEOUT_MS, type ServeOptions, type Serving } from './serving.js';

/**
 * Serve the application on a server that is already listening.
 *
 * @throws StartError when the document store cannot be opened
 */
export async function serveHere(options: ServeOptions): Promise<Serving> {
  const { PORT, HOST } = options.environment;
  const app = await createApp(options);
  try {
    await app.get(DocumentStore, { strict: false }).open();
    await app.listen(PORT, HOST);
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    url: await app.getUrl(),
    app,
    drain: () => {
      app.get(HealthService).stop();
    },
    stop: () => closeApp(app, options),
  };
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

/** @returns whether the promise is fulfilled in time */
async function endsWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  try {
    return await Promise.race([work.then(() => true), delay(timeoutMs, false, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
