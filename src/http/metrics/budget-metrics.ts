import { RESOURCES, type Budget } from '../../budget/budget.js';
import { readCounter, readGauge } from './read-metric.js';

/** How much of a process requests hold, and whom it had no room for (choice T18). */
export function budgetMetrics({ allotments }: Budget): void {
  readGauge({
    name: 'data_import_budget_used_ratio',
    help: 'Share that is held of what a process divides among organisations',
    labelNames: ['resource'],
    read: () => RESOURCES.map((resource) => [{ resource }, allotments[resource].usedShare] as const),
  });
  readCounter({
    name: 'data_import_budget_refused_total',
    help: 'Requests that were answered 503 because their organisation held too much',
    labelNames: ['resource'],
    read: () => RESOURCES.map((resource) => [{ resource }, allotments[resource].refused] as const),
  });
}
