import type { SupplierTotals } from '../../../capabilities/totals/totals.types.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { Forecast, Pace } from '../../../capabilities/totals/forecast.js';
import type { RowProgress } from '../../../capabilities/totals/row-progress.js';
import type { ItemCounts } from '../../../infrastructure/item-names/item-names.js';

/** A count up to a bound. */
export interface BoundedCount {
  readonly count: number;
  /** Whether there are more than the bound. */
  readonly isMore: boolean;
}

/** Documents are either missing or not looked up yet: two counts (choice F5). */
export type DocumentState = 'missing' | 'not_looked_up';

/** Signs of trouble at a supplier, in addition to its totals. */
export interface SupplierSigns {
  /** Import requests that were refused in the last hour. */
  readonly refusals: BoundedCount;
  /** Documents that the last look-up of the whole supplier did not find in the store. */
  readonly missingDocuments: BoundedCount;
  /** Documents that were referred to after that look-up began; `since` is the time of the first one. */
  readonly documentsNotLookedUp: BoundedCount & { readonly since: Date | null };
}

/** How far the migration of a supplier is. */
export interface SupplierProgress {
  readonly supplier: ViewedSupplier;
  readonly totals: SupplierTotals;
  readonly signs: SupplierSigns;
  readonly pace: Pace;
  /** Undefined when it is not known how many rows there will be. */
  readonly rows: RowProgress | undefined;
  readonly forecast: Forecast;
}

/** The items loaded in a step of time. */
export interface ItemStep {
  readonly at: Date;
  readonly items: ItemCounts;
}

/** How much time a chart shows, and the steps it is divided into. */
export const SPANS = {
  hour: { steps: 60, stepMinutes: 1, words: 'the last hour' },
  '6-hours': { steps: 72, stepMinutes: 5, words: 'the last 6 hours' },
  day: { steps: 144, stepMinutes: 10, words: 'the last day' },
  week: { steps: 168, stepMinutes: 60, words: 'the last week' },
} as const;
export type Span = keyof typeof SPANS;

/** The items loaded over time, without gaps, up to the current step. */
export interface ItemHistory {
  readonly span: Span;
  readonly steps: readonly ItemStep[];
}

/** The progress of several suppliers, and the items loaded for all of them or for one. */
export interface Progress {
  /** When it was read. */
  readonly now: Date;
  /** All totals include everything up to this time. */
  readonly asOf: Date;
  readonly suppliers: readonly SupplierProgress[];
  readonly history: ItemHistory;
}

/** The progress of one supplier, and the items loaded for it. */
export type OneProgress = Pick<Progress, 'now' | 'history'> & { readonly progress: SupplierProgress };
