import type { ConnectionCounts } from '../../database/pool.js';
import { ENDPOINTS, SERVERS, type ReadUnitOfWork, type Server } from '../../database/read-unit-of-work.js';
import type { UnitOfWork } from '../../database/unit-of-work.js';
import type { HealthService } from '../../health/health.service.js';
import { readCounter, readGauge, type Sample } from './read-metric.js';

export function databaseMetrics(work: UnitOfWork, reads: ReadUnitOfWork, health: HealthService): void {
  readGauge({
    name: 'data_import_database_up',
    help: 'Whether the database answers: 1 or 0',
    labelNames: [],
    aggregator: 'min',
    read: async () => [[{}, Number(await health.isDatabaseUp())] as const],
  });
  const counts = (): (readonly [Server, ConnectionCounts])[] =>
    Object.entries({ primary: work.connections, standby: reads.connections }).flatMap(([server, one]) =>
      one ? [[server as Server, one]] : [],
    );
  readGauge({
    name: 'data_import_database_connections',
    help: 'Database connections, in use and idle',
    labelNames: ['server', 'state'],
    aggregator: 'sum',
    read: () =>
      counts().flatMap(([server, { used, idle }]): Sample<'server' | 'state'>[] => [
        [{ server, state: 'used' }, used],
        [{ server, state: 'idle' }, idle],
      ]),
  });
  const read = (value: 'max' | 'waiting') => (): Sample<'server'>[] =>
    counts().map(([server, { [value]: count }]) => [{ server }, count]);
  readGauge({
    name: 'data_import_database_connections_max',
    help: 'Database connections that there may be',
    labelNames: ['server'],
    aggregator: 'sum',
    read: read('max'),
  });
  readGauge({
    name: 'data_import_database_waiting',
    help: 'Queries and transactions that wait for a database connection',
    labelNames: ['server'],
    aggregator: 'sum',
    read: read('waiting'),
  });
  if (reads.hasStandby) standbyMetrics(reads);
}

function standbyMetrics(reads: ReadUnitOfWork): void {
  readGauge({
    name: 'data_import_standby_lag_seconds',
    help: 'The data of the standby is at most this old',
    labelNames: [],
    aggregator: 'max',
    read: () => [[{}, reads.lagSeconds]],
  });
  readCounter({
    name: 'data_import_reads_total',
    help: 'Status requests and parts of lists, by the server that answered them',
    labelNames: ['endpoint', 'server'],
    read: () =>
      ENDPOINTS.flatMap((endpoint) =>
        SERVERS.map((server) => [{ endpoint, server }, reads.answered[endpoint][server]] as const),
      ),
  });
}
