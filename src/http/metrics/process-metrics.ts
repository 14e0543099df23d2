import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, register } from 'prom-client';
import { BackgroundJob } from '../../common/background-job.js';
import { readGauge } from './read-metric.js';
import { VERSION } from '../../config/version.js';

/** The event loop delay is that of the last one to two of these. */
const WINDOW_MS = 30_000;

/** What prom-client calls the event loop delay. Its other metrics of the delay are left out. */
const LAG_PREFIX = 'nodejs_eventloop_lag_';
const LAGS: Readonly<Record<string, (histogram: IntervalHistogram) => number>> = {
  mean: ({ mean }) => mean,
  p50: (histogram) => histogram.percentile(50),
  p90: (histogram) => histogram.percentile(90),
  p99: (histogram) => histogram.percentile(99),
  max: ({ max }) => max,
};

/** prom-client's own metrics of a process, the event loop delay, and which build it is. */
export function processMetrics(instance: FastifyInstance): void {
  collectDefaultMetrics();
  eventLoopMetrics(instance);
  readGauge({
    name: 'data_import_build_info',
    help: 'Always 1; the version of the service, and of Node.js',
    labelNames: ['version', 'node'],
    aggregator: 'max',
    read: () => [[{ version: VERSION, node: process.version }, 1]],
  });
}

/**
 * The delay since a fixed time ago, of the slowest worker. prom-client's is the one since the metrics were read last, which a
 * worker does every second: Prometheus, which comes every 15 s or so, would see one second of them, as an average of the
 * workers, and miss one that was blocked.
 */
function eventLoopMetrics(instance: FastifyInstance): void {
  for (const { name } of register.getMetricsAsArray()) {
    if (name.startsWith('nodejs_eventloop_lag')) register.removeSingleMetric(name);
  }
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  const read = (): Map<string, number> =>
    new Map(
      Object.entries(LAGS).map(([name, of]) => [name, histogram.count === 0 ? 0 : of(histogram) / 1e9]),
    );
  let before = new Map<string, number>();
  const window = new BackgroundJob({
    intervalMs: WINDOW_MS,
    run: () => {
      before = read();
      histogram.reset();
    },
    onFailure: (err) => {
      instance.log.warn({ err }, 'the event loop delay could not be measured');
    },
  });
  window.start();
  instance.addHook('onClose', async () => {
    await window.stop();
    histogram.disable();
  });
  for (const name of Object.keys(LAGS)) {
    readGauge({
      name: `${LAG_PREFIX}${name}_seconds`,
      help: `Event loop delay of the last 30 to 60 seconds (${name}), with the 10 ms between two measurements`,
      labelNames: [],
      aggregator: 'max',
      read: () => [[{}, Math.max(before.get(name) ?? 0, read().get(name) ?? 0)]],
    });
  }
}
