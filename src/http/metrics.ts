import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Histogram, register } from 'prom-client';
import { StartError } from '../config/env.js';
import type { Environment } from '../config/settings.js';

/** Upper bounds of the duration buckets, in seconds. */
const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Count what the service answers: requests by route, method and status, and how long they took. The route is the
 * pattern, never the address, so that no account number becomes a label.
 */
export function measureRequests(instance: FastifyInstance): void {
  register.clear();
  const duration = new Histogram({
    name: 'data_import_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['route', 'method'],
    buckets: DURATION_BUCKETS_SECONDS,
  });
  const answers = new Counter({
    name: 'data_import_answers_total',
    help: 'Answers by route, method and status',
    labelNames: ['route', 'method', 'status'],
  });
  instance.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    duration.observe({ route, method }, reply.elapsedTime / 1_000);
    answers.inc({ route, method, status: reply.statusCode });
    done();
  });
  collectDefaultMetrics();
}

/** The address for Prometheus. */
export interface MetricsServer {
  readonly url: string;
  readonly close: () => void;
}

/**
 * Serve `/metrics` for Prometheus on a port of its own, so that it is not open to suppliers.
 *
 * @param collect what was measured, in the text form of Prometheus
 * @returns nothing when the setting METRICS_PORT is off
 * @throws StartError when the port cannot be had
 */
export async function serveMetrics(
  { HOST, METRICS_PORT }: Environment,
  collect: () => Promise<string>,
): Promise<MetricsServer | undefined> {
  if (METRICS_PORT === undefined) return undefined;
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    collect().then(
      (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  try {
    await once(server.listen(METRICS_PORT, HOST), 'listening');
  } catch (cause) {
    throw new StartError(
      `The metrics cannot be served on ${HOST}:${METRICS_PORT}: ${(cause as Error).message}.`,
      { cause },
    );
  }
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
