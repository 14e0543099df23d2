import { Global, Module } from '@nestjs/common';
import { metricsAt, MetricsRegistry } from './metrics.registry.js';
import { processMetrics } from './process-metrics.js';

/** The registry of metrics, and the metrics of the process itself. */
@Global()
@Module({ providers: [MetricsRegistry, metricsAt(90, processMetrics)], exports: [MetricsRegistry] })
export class MetricsModule {}
