import type { Prometheus } from '../../infrastructure/metrics/metrics.registry.js';
import type { ReaderLagJob } from './reader-lag.job.js';

/** How far the slowest reader of the feeds is behind (choice E6); which one it is says "feed status". */
export function feedMetrics({ readGauge }: Prometheus, job: ReaderLagJob): void {
  readGauge({
    name: 'data_import_feed_lag_changes',
    help: 'Changes that the slowest reader of the feeds has not done',
    read: () => [[{}, job.lag.changes]],
  });
  readGauge({
    name: 'data_import_feed_lag_seconds',
    help: 'Age of the oldest change that the slowest reader of the feeds has not done',
    read: () => [[{}, job.lag.seconds]],
  });
}
