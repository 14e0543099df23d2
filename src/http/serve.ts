import { register } from 'prom-client';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentStore } from '../documents/document-store.js';
import { HealthService } from '../health/health.service.js';
import { createApp } from './create-app.js';
import { ServiceServer } from './service-server.js';
import {
  CUT_OFF_TIMEOUT_MS,
  endsWithin,
  STOP_TIMEOUT_MS,
  type ServeOptions,
  type Serving,
} from './serving.js';

/**
 * Serve in this process.
 *
 * @param options with the server that listens already, if there is one
 * @param beforeListening awaited before another one listens
 * @throws StartError when the port is not available, or the document store cannot be opened
 */
export async function serveHere(
  options: ServeOptions,
  beforeListening?: () => Promise<void>,
): Promise<Serving> {
  const { environment, server = new ServiceServer() } = options;
  const app = await createApp({ ...options, server });
  try {
    await app.get(DocumentStore, { strict: false }).open();
    if (!server.listening) {
      await beforeListening?.();
      await server.open(environment);
    }
    await app.listen(environment.PORT, environment.HOST);
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    url: await app.getUrl(),
    app,
    metrics: () => register.metrics(),
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
