import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from 'prom-client';
import { ENDPOINTS, SERVERS, type ReadUnitOfWork } from '../../database/read-unit-of-work.js';
import type { HealthService } from '../../health/health.service.js';
import type { RefusalsService } from '../../imports/refusals/refusals.service.js';
import { CLOSED_BECAUSE, type ClosedBecause } from './connection-limits.plugin.js';

/** Upper bounds of the duration buckets, in seconds. */
const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics that other plugins count. */
export interface HttpMetrics {
  readonly connectionClosed: (reason: ClosedBecause) => void;
}

/** What other parts of the service count. */
export interface Counted {
  readonly health: HealthService;
  readonly refusals: RefusalsService;
  readonly reads: ReadUnitOfWork;
}

/**
 * Counts answers by route, method and status, and measures how long they take. The label is the route's pattern, never
 * the address, so that no account number becomes a label. Counts connections too.
 */
export function metricsPlugin(instance: FastifyInstance, { health, refusals, reads }: Counted): HttpMetrics {
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
  new Counter({
    name: 'data_import_refusals_dropped_total',
    help: 'Refused import requests that the history of their account lacks, because too many came at once',
    collect() {
      this.reset();
      this.inc(refusals.dropped);
    },
  });
  new Gauge({
    name: 'data_import_database_up',
    help: 'Whether the database answers: 1 or 0',
    aggregator: 'min',
    async collect() {
      this.set((await health.isDatabaseUp()) ? 1 : 0);
    },
  });
  if (reads.hasStandby) standbyMetrics(reads);
  collectDefaultMetrics();
  return connectionMetrics(instance);
}

function standbyMetrics(reads: ReadUnitOfWork): void {
  new Gauge({
    name: 'data_import_standby_lag_seconds',
    help: 'The data of the standby is at most this old',
    aggregator: 'max',
    collect() {
      this.set(reads.lagSeconds);
    },
  });
  new Counter({
    name: 'data_import_reads_total',
    help: 'Status requests and parts of lists, by the server that answered them',
    labelNames: ['endpoint', 'server'],
    collect() {
      this.reset();
      for (const endpoint of ENDPOINTS) {
        for (const server of SERVERS) this.inc({ endpoint, server }, reads.answered[endpoint][server]);
      }
    },
  });
}

function connectionMetrics({ server }: FastifyInstance): HttpMetrics {
  const open = new Gauge({
    name: 'data_import_client_connections',
    help: 'Connections of clients that are open',
  });
  server.on('connection', (socket: Socket) => {
    open.inc();
    socket.once('close', () => {
      open.dec();
    });
  });
  const closed = new Counter({
    name: 'data_import_client_connections_closed_total',
    help: 'Connections closed because the client read nothing for too long (stalled) or there were too many (too_many)',
    labelNames: ['reason'],
  });
  // A counter that first appears with a value of 1 does not show as an increase.
  for (const reason of CLOSED_BECAUSE) closed.inc({ reason }, 0);
  return {
    connectionClosed: (reason) => {
      closed.inc({ reason });
    },
  };
}
