import type { ItemCounts } from '../../accounts/import-progress.types.js';
import type { MinuteTotals } from '../../accounts/totals/totals.types.js';
import { SPANS, type ItemHistory, type ItemStep, type Span } from './progress.types.js';

const MINUTE_MS = 60_000;

/** The beginning of the first step of a history that ends with the present step. */
export function historySince(now: Date, span: Span): Date {
  const { steps, stepMinutes } = SPANS[span];
  const stepMs = stepMinutes * MINUTE_MS;
  return new Date((Math.floor(now.getTime() / stepMs) - steps + 1) * stepMs);
}

/**
 * What arrived in each step: the sum of the suppliers, and nothing where no minute is known.
 *
 * @param minutes of several suppliers, in any order; those before the first step or after the present one do not count
 */
export function itemHistory(now: Date, span: Span, minutes: readonly MinuteTotals[]): ItemHistory {
  const { steps: count, stepMinutes } = SPANS[span];
  const since = historySince(now, span).getTime();
  const stepMs = stepMinutes * MINUTE_MS;
  const steps = Array.from({ length: count }, (_, index): ItemStep => ({
    at: new Date(since + index * stepMs),
    items: { notes: 0, transactions: 0, statements: 0, payment_instructions: 0 },
  }));
  for (const { minute, items } of minutes) {
    const index = Math.floor((minute.getTime() - since) / stepMs);
    const step = steps[index];
    if (!step) continue;
    steps[index] = { at: step.at, items: sum(step.items, items) };
  }
  return { span, steps };
}

function sum(one: ItemCounts, other: ItemCounts): ItemCounts {
  return {
    notes: one.notes + other.notes,
    transactions: one.transactions + other.transactions,
    statements: one.statements + other.statements,
    payment_instructions: one.payment_instructions + other.payment_instructions,
  };
}
