import { promisify } from 'node:util';
import type { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Counter, Histogram } from 'prom-client';
import type { Prometheus } from '../../../infrastructure/metrics/metrics.registry.js';

/** Upper bounds of the duration buckets, in seconds. */
const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The methods that have their own label; Node.js accepts more than thirty. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Counts answers by route, method and status, and measures how long they take. The label is the route's pattern and never the
 * address, so that no account number becomes a label.
 */
export function requestMetrics(
  prometheus: Prometheus,
  { httpAdapter }: HttpAdapterHost<FastifyAdapter>,
): void {
  const duration = new prometheus.Histogram({
    name: 'data_import_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['route', 'method'],
    buckets: DURATION_BUCKETS_SECONDS,
  });
  const answers = new prometheus.Counter({
    name: 'data_import_answers_total',
    help: 'Answers by route, method and status',
    labelNames: ['route', 'method', 'status'],
  });
  /** Series by status, method and route: finding one by its labels takes longer than counting. Their number is limited. */
  const series = new Map<string, { times: Histogram.Internal<string>; answered: Counter.Internal }>();
  httpAdapter.getInstance<FastifyInstance>().addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const method = METHODS.has(request.method) ? request.method : 'other';
    const key = `${reply.statusCode} ${method} ${route}`;
    let found = series.get(key);
    if (!found) {
      found = {
        times: duration.labels({ route, method }),
        answered: answers.labels({ route, method, status: reply.statusCode }),
      };
      series.set(key, found);
    }
    found.times.observe(reply.elapsedTime / 1_000);
    found.answered.inc();
    done();
  });
}

export function connectionMetrics(
  prometheus: Prometheus,
  { httpAdapter }: HttpAdapterHost<FastifyAdapter>,
): void {
  const { server } = httpAdapter.getInstance<FastifyInstance>();
  const count = promisify(server.getConnections.bind(server));
  prometheus.readGauge({
    name: 'data_import_client_connections',
    help: 'Connections of clients that are open',
    read: async () => [[{}, await count()]],
  });
  const refused = new prometheus.Counter({
    name: 'data_import_client_connections_refused_total',
    help: 'Connections closed at once because there were CONNECTIONS_MAX of them',
  });
  server.on('drop', () => {
    refused.inc();
  });
}
