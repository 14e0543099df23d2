import type { ItemCounts } from '../accounts/import-progress.types.js';
import type { ImportKind } from './import-kind.js';

/** What the items of an import request are counted as, by what it imports. */
export const COUNTED_AS: Readonly<Record<ImportKind, keyof ItemCounts>> = {
  notes: 'notes',
  transactions: 'transactions',
  statements: 'statements',
  payment_instruction: 'payment_instructions',
};
