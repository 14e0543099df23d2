import { Global, Module } from '@nestjs/common';
import { registerMetrics } from '../metrics/metrics.registry.js';
import { Budget } from './budget.js';
import { budgetMetrics } from './budget-metrics.js';
import { PageQueue, SearchQueue } from './fair-queue.js';

/** The request budget of the process, and the fair queues of the console. */
@Global()
@Module({
  providers: [Budget, PageQueue, SearchQueue, registerMetrics(budgetMetrics, Budget)],
  exports: [Budget, PageQueue, SearchQueue],
})
export class BudgetModule {}
