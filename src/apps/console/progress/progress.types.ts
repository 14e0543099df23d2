import type { Judged } from '../../../capabilities/conditions/conditions.js';
import type { CutOver } from '../../../capabilities/conditions/cut-over.js';
import type { SupplierFacts } from '../../../capabilities/conditions/facts.types.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { ItemCounts } from '../../../infrastructure/item-names/item-names.js';

/** Documents are either missing or not looked up yet: two counts (choice F5). */
export type DocumentState = 'missing' | 'not_looked_up';

/** How far the migration of a supplier is, and what is wrong. */
export interface SupplierProgress extends SupplierFacts, Judged {
  readonly supplier: ViewedSupplier;
  /** Undefined without a day. */
  readonly cutOver: CutOver | undefined;
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

/** The progress of several suppliers, and the items loaded for all of them. */
export interface Progress {
  /** When it was read. */
  readonly now: Date;
  /** All totals include everything up to this time. */
  readonly asOf: Date;
  readonly suppliers: readonly SupplierProgress[];
  readonly history: ItemHistory;
}

/** The progress of one supplier, and the items loaded for it. */
export type OneProgress = Pick<Progress, 'history'> & { readonly progress: SupplierProgress };
