import { VERSION } from '../config/version.js';
import type { Prometheus } from './metrics.registry.js';

/** prom-client's own metrics of a process, and which build it is. */
export function processMetrics({ collectDefaultMetrics, readGauge }: Prometheus): void {
  collectDefaultMetrics();
  readGauge({
    name: 'data_import_build_info',
    help: 'Always 1; the version of the service, and of Node.js',
    labelNames: ['version', 'node'],
    read: () => [[{ version: VERSION, node: process.version }, 1]],
  });
}
