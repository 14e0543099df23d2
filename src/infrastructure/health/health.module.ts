import { Module } from '@nestjs/common';
import { registerMetrics } from '../metrics/metrics.registry.js';
import { databaseUpMetric } from './health-metrics.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

/** Whether the process accepts requests and its database answers, for probes and metrics. */
@Module({
  controllers: [HealthController],
  providers: [HealthService, registerMetrics(databaseUpMetric, HealthService)],
  exports: [HealthService],
})
export class HealthModule {}
