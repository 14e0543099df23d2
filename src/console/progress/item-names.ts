import type { ItemCounts } from '../../accounts/import-progress.types.js';

/** The kinds of items as the pages name them, in their order. */
export const ITEM_NAMES: Readonly<Record<keyof ItemCounts, string>> = {
  notes: 'Notes',
  transactions: 'Transactions',
  statements: 'Statements',
  payment_instructions: 'Payment instructions',
};

export const ITEM_KINDS = Object.keys(ITEM_NAMES) as (keyof ItemCounts)[];

/** How many items there are of all kinds. */
export function itemsOf(items: ItemCounts): number {
  return ITEM_KINDS.reduce((sum, kind) => sum + items[kind], 0);
}
