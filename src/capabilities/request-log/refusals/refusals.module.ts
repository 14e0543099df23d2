import { Module } from '@nestjs/common';
import { ImportSuppliersModule } from '../../../import-suppliers/import-suppliers.module.js';
import { registerMetrics } from '../../../infrastructure/metrics/metrics.registry.js';
import { refusalMetrics } from './refusal-metrics.js';
import { RefusalRetentionJob } from './refusal-retention.job.js';
import { RefusalsRepository } from './refusals.repository.js';
import { RefusalsService } from './refusals.service.js';

/** The record of refused import requests. The service's error filter adds to it. */
@Module({
  imports: [ImportSuppliersModule],
  providers: [
    RefusalsService,
    RefusalsRepository,
    RefusalRetentionJob,
    registerMetrics(refusalMetrics, RefusalsService),
  ],
  exports: [RefusalsService],
})
export class RefusalsModule {}
