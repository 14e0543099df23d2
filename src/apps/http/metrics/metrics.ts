import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { register } from 'prom-client';
import { AccountsService } from '../../../accounts/status/accounts.service.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { ReaderLagJob } from '../../../capabilities/feed/reader-lag.job.js';
import { HealthService } from '../../../infrastructure/health/health.service.js';
import { AnsweredItems } from '../../../ingest/answered-items.js';
import { RefusalsService } from '../../../capabilities/request-log/refusals/refusals.service.js';
import { ImportRunner } from '../../../ingest/import-runner.js';
import { VendorGateway } from '../../../payment-instructions/vendors/vendor-gateway.js';
import { Budget } from '../../../infrastructure/limits/budget.js';
import { budgetMetrics } from './budget-metrics.js';
import { databaseMetrics } from './database-metrics.js';
import { feedMetrics } from './feed-metrics.js';
import { batchMetrics, itemMetrics, refusalMetrics } from './import-metrics.js';
import { processMetrics } from './process-metrics.js';
import { connectionMetrics, requestMetrics } from './request-metrics.js';
import { vendorMetrics } from './vendor-metrics.js';

/**
 * Makes all metrics (docs/operating/logs-and-metrics.md). What happens below http is counted there, as plain numbers, and read here
 * when the metrics are.
 *
 * Source: choice O3.
 */
export function makeMetrics(app: NestFastifyApplication, instance: FastifyInstance): void {
  register.clear();
  const one = <T>(type: abstract new (...args: never[]) => T): T => app.get<T>(type, { strict: false });
  requestMetrics(instance);
  itemMetrics(one(AnsweredItems));
  refusalMetrics(one(RefusalsService));
  batchMetrics(one(ImportRunner), one(AccountsService).statuses);
  databaseMetrics(one(UnitOfWork), one(HealthService));
  budgetMetrics(one(Budget));
  feedMetrics(one(ReaderLagJob));
  vendorMetrics(one(VendorGateway));
  processMetrics();
  connectionMetrics(instance);
}
