import { forEachItem } from '../../infrastructure/item-names/item-names.js';
import { rowProgress } from './row-progress.js';
import type { SupplierTotals } from './totals.types.js';

interface Parts {
  readonly notes?: number;
  readonly transactions?: number;
  readonly expected?: Partial<SupplierTotals['expected']>;
  readonly pinnedNotes?: number;
  readonly differ?: number;
}

function progressOf({ notes = 0, transactions = 0, expected, pinnedNotes = 0, differ = 0 }: Parts): unknown {
  const found = rowProgress({
    items: { ...forEachItem(() => 0), notes, transactions },
    expected: { ...forEachItem(() => null), ...expected },
    control: { differ } as SupplierTotals['control'],
    pinnedNotes,
  });
  return found && [found.stored, found.expected, found.percent];
}

describe('how many of the expected rows are stored', () => {
  it.each<[string, Parts, unknown]>([
    ['is not known without control totals', { notes: 5 }, undefined],
    ['is not known when nothing is expected', { expected: { notes: 0 } }, undefined],
    [
      'counts the kinds that are known',
      { notes: 7, transactions: 5, expected: { transactions: 20 } },
      [5, 20, 25],
    ],
    [
      'adds the kinds up',
      { notes: 1, transactions: 5, expected: { notes: 5, transactions: 15 } },
      [6, 20, 30],
    ],
    ['leaves out the service’s own notes', { notes: 5, pinnedNotes: 4, expected: { notes: 4 } }, [1, 4, 25]],
    ['does not count extra rows', { notes: 9, expected: { notes: 4, transactions: 4 } }, [4, 8, 50]],
    ['is rounded down', { notes: 1_999, expected: { notes: 2_000 } }, [1_999, 2_000, 99.9]],
    ['is all when all are there', { notes: 2_000, expected: { notes: 2_000 } }, [2_000, 2_000, 100]],
    ['is at most 99 % while an account differs', { notes: 5, differ: 1, expected: { notes: 5 } }, [5, 5, 99]],
  ])('%s (C12)', (_what, parts, expected) => {
    expect(progressOf(parts)).toEqual(expected);
  });
});
