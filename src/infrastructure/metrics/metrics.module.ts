import { Global, Module } from '@nestjs/common';
import { MetricsRegistry, registerMetrics } from './metrics.registry.js';
import { processMetrics } from './process-metrics.js';

/** The registry of metrics, and the metrics of the process itself. */
@Global()
@Module({ providers: [MetricsRegistry, registerMetrics(processMetrics)], exports: [MetricsRegistry] })
export class MetricsModule {}
