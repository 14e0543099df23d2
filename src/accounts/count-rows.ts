import type { ItemCounts } from './import-progress.types.js';

/** How many items of each kind there are, as rows of a table for operators. */
export function countRows(counts: ItemCounts): [string, number][] {
  return [
    ['Notes', counts.notes],
    ['Transactions', counts.transactions],
    ['Statements', counts.statements],
    ['Payment instructions', counts.payment_instructions],
  ];
}
