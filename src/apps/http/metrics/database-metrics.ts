import type { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import type { HealthService } from '../../../infrastructure/health/health.service.js';
import { readGauge, type Sample } from './read-metric.js';

export function databaseMetrics(work: UnitOfWork, health: HealthService): void {
  readGauge({
    name: 'data_import_database_up',
    help: 'Whether the database answers: 1 or 0',
    read: async () => [[{}, Number(await health.isDatabaseUp())] as const],
  });
  readGauge({
    name: 'data_import_database_connections',
    help: 'Database connections, in use and idle',
    labelNames: ['state'],
    read: (): Sample<'state'>[] => {
      const { connections } = work;
      if (!connections) return [];
      return (['used', 'idle'] as const).map((state) => [{ state }, connections[state]]);
    },
  });
  const read = (value: 'max' | 'waiting') => (): Sample<never>[] =>
    work.connections ? [[{}, work.connections[value]]] : [];
  readGauge({
    name: 'data_import_database_connections_max',
    help: 'Database connections that there may be',
    read: read('max'),
  });
  readGauge({
    name: 'data_import_database_waiting',
    help: 'Queries and transactions that wait for a database connection',
    read: read('waiting'),
  });
}
