import type { SupplierTotals } from '../../../capabilities/totals/totals.types.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { Forecast, Pace } from '../../../capabilities/totals/forecast.js';
import type { RowProgress } from '../../../capabilities/totals/row-progress.js';
import type { ItemCounts } from '../../../infrastructure/item-names/item-names.js';

/** A count of rows that are not counted further than to a bound. */
export interface BoundedCount {
  readonly count: number;
  /** Whether there are more than that. */
  readonly isMore: boolean;
}

/** Documents are missing, or nobody has looked for them yet: two numbers (choice F5). */
export type DocumentState = 'missing' | 'not_looked_up';

/** What is known of a supplier beside its totals. */
export interface SupplierSigns {
  /** Import requests that were refused in the last hour. */
  readonly refusals: BoundedCount;
  /** Documents that the last look-up of the whole supplier did not find in the store. */
  readonly missingDocuments: BoundedCount;
  /** Documents that were named after it began, the first of them then. */
  readonly documentsNotLookedUp: BoundedCount & { readonly since: Date | null };
}

/** How far the migration of a supplier is. */
export interface SupplierProgress {
  readonly supplier: ViewedSupplier;
  readonly totals: SupplierTotals;
  readonly signs: SupplierSigns;
  readonly pace: Pace;
  /** Nothing where it is not known how many rows there will be. */
  readonly rows: RowProgress | undefined;
  readonly forecast: Forecast;
}

/** The items that arrived in a step of time. */
export interface ItemStep {
  readonly at: Date;
  readonly items: ItemCounts;
}

/** How much time a chart shows, and how it is divided. */
export const SPANS = {
  hour: { steps: 60, stepMinutes: 1, words: 'the last hour' },
  '6-hours': { steps: 72, stepMinutes: 5, words: 'the last 6 hours' },
  day: { steps: 144, stepMinutes: 10, words: 'the last day' },
  week: { steps: 168, stepMinutes: 60, words: 'the last week' },
} as const;
export type Span = keyof typeof SPANS;

/** What arrived when, without a gap, up to the present step. */
export interface ItemHistory {
  readonly span: Span;
  readonly steps: readonly ItemStep[];
}

/** The progress of several suppliers and what arrived for all of them, or one. */
export interface Progress {
  /** When it was read. */
  readonly now: Date;
  /** All totals contain everything up to this time. */
  readonly asOf: Date;
  readonly suppliers: readonly SupplierProgress[];
  readonly history: ItemHistory;
}

/** The progress of one supplier and what arrived for it. */
export type OneProgress = Pick<Progress, 'now' | 'history'> & { readonly progress: SupplierProgress };
