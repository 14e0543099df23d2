import type { Prometheus } from '../metrics/metrics.registry.js';
import type { HealthService } from './health.service.js';

export function databaseUpMetric({ readGauge }: Prometheus, health: HealthService): void {
  readGauge({
    name: 'data_import_database_up',
    help: 'Whether the database answers: 1 or 0',
    read: async () => [[{}, Number(await health.isDatabaseUp())] as const],
  });
}
