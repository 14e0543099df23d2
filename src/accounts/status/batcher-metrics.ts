import type { BatcherLoad } from '../../infrastructure/database/batcher.js';
import type { Prometheus } from '../../infrastructure/metrics/metrics.registry.js';
import type { Sample } from '../../infrastructure/metrics/prometheus.js';
import { IMPORT_QUERIES, type ImportRunner } from '../../ingest/import-runner.js';
import type { AccountsService } from './accounts.service.js';

/** The queries that requests share: those of the imports, and that of the account status. */
export function batcherMetrics(
  { readCounter, readGauge }: Prometheus,
  imports: ImportRunner,
  { statuses }: AccountsService,
): void {
  const read = (value: (load: BatcherLoad) => number) => (): Sample<'kind'>[] => [
    ...IMPORT_QUERIES.map((kind) => {
      const load = imports.loadOf(kind);
      return [{ kind }, load ? value(load) : 0] as const;
    }),
    [{ kind: 'account_status' }, value(statuses)],
  ];
  readGauge({
    name: 'data_import_batch_waiting',
    help: 'Requests that wait for a query that they may share',
    labelNames: ['kind'],
    read: read(({ waitingCount }) => waitingCount),
  });
  readCounter({
    name: 'data_import_batch_queries_total',
    help: 'Queries that requests may share',
    labelNames: ['kind'],
    read: read(({ sent }) => sent.queries),
  });
  readCounter({
    name: 'data_import_batch_requests_total',
    help: 'Requests in these queries; one that is tried again alone counts again',
    labelNames: ['kind'],
    read: read(({ sent }) => sent.requests),
  });
}
