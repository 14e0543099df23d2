import { Global, Module } from '@nestjs/common';
import { metricsAt } from '../metrics/metrics.registry.js';
import { Budget } from './budget.js';
import { budgetMetrics } from './budget-metrics.js';
import { PageQueue, SearchQueue } from './fair-queue.js';

/** What holders have in hand of a process, and the turns in which their work waits. */
@Global()
@Module({
  providers: [Budget, PageQueue, SearchQueue, metricsAt(60, budgetMetrics, Budget)],
  exports: [Budget, PageQueue, SearchQueue],
})
export class BudgetModule {}
