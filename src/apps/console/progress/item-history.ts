import type { MinuteTotals } from '../../../capabilities/totals/totals.types.js';
import { SPANS, type ItemHistory, type ItemStep, type Span } from './progress.types.js';
import { forEachItem } from '../../../infrastructure/item-names/item-names.js';
import { sumOfCounts } from '../../../ingest/kinds/items.js';

const MINUTE_MS = 60_000;

/** The start of the first step of a history that ends with the current step. */
export function historySince(now: Date, span: Span): Date {
  const { steps, stepMinutes } = SPANS[span];
  const stepMs = stepMinutes * MINUTE_MS;
  return new Date((Math.floor(now.getTime() / stepMs) - steps + 1) * stepMs);
}

/**
 * The rows loaded in each step, summed over the suppliers, and zero when no minute is known.
 *
 * @param minutes of several suppliers, in any order; minutes before the first step or after the current one are ignored
 */
export function itemHistory(now: Date, span: Span, minutes: readonly MinuteTotals[]): ItemHistory {
  const { steps: count, stepMinutes } = SPANS[span];
  const since = historySince(now, span).getTime();
  const stepMs = stepMinutes * MINUTE_MS;
  const steps = Array.from({ length: count }, (_, index): ItemStep => ({
    at: new Date(since + index * stepMs),
    items: forEachItem(() => 0),
  }));
  for (const { minute, items } of minutes) {
    const index = Math.floor((minute.getTime() - since) / stepMs);
    const step = steps[index];
    if (!step) continue;
    steps[index] = { at: step.at, items: sumOfCounts(step.items, items) };
  }
  return { span, steps };
}
