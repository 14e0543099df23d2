import type { Prometheus } from '../metrics/metrics.registry.js';
import type { Sample } from '../metrics/prometheus.js';
import type { UnitOfWork } from './unit-of-work.js';

export function connectionMetrics({ readGauge }: Prometheus, work: UnitOfWork): void {
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
