import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Histogram, register } from 'prom-client';

/** Upper bounds of the duration buckets, in seconds. */
const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Counts answers by route, method and status, and measures how long they take. The label is the route's pattern, never
 * the address, so that no account number becomes a label.
 */
export function metricsPlugin(instance: FastifyInstance): void {
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
