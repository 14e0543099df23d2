import { ITEM_NAMES, type ItemName } from '../../infrastructure/item-names/item-names.js';
import type { SupplierTotals } from './totals.types.js';

/** How many of the rows that the control totals expect are stored. */
export interface RowShare {
  /** At most as many as are expected. */
  readonly stored: number;
  readonly expected: number;
  /** With one decimal, rounded down; less than 100 while an account differs. */
  readonly percent: number;
}

/** How far the rows of a supplier are. */
export interface RowProgress extends RowShare {
  /** The kinds for which every account has a control total. */
  readonly kinds: Readonly<Partial<Record<ItemName, RowShare>>>;
}

/** The highest percentage while an account differs: a row may then be missing although another account has one too many. */
const DIFFERING_MAX = 99;

/**
 * How many of the expected rows are stored, for the kinds for which every account has a control total. Notes that the
 * service pins are neither expected nor counted.
 *
 * @returns undefined when there is no such kind, or nothing is expected
 * Source: choice C12; decision 14 (docs/decisions/).
 */
export function rowProgress({
  items,
  pinnedNotes,
  expected,
  control,
}: Pick<SupplierTotals, 'items' | 'pinnedNotes' | 'expected' | 'control'>): RowProgress | undefined {
  const max = control.differ > 0 ? DIFFERING_MAX : 100;
  const shares = ITEM_NAMES.flatMap((name) => {
    const wanted = expected[name];
    if (wanted === null) return [];
    const stored = items[name] - (name === 'notes' ? pinnedNotes : 0);
    return [[name, shareOf(Math.min(stored, wanted), wanted, max)] as const];
  });
  const sum = (part: 'stored' | 'expected'): number =>
    shares.reduce((total, [, share]) => total + share[part], 0);
  if (sum('expected') === 0) return undefined;
  return { ...shareOf(sum('stored'), sum('expected'), max), kinds: Object.fromEntries(shares) };
}

function shareOf(stored: number, expected: number, percentMax: number): RowShare {
  const percent = expected === 0 ? 100 : Math.floor((stored * 1_000) / expected) / 10;
  return { stored, expected, percent: Math.min(percent, percentMax) };
}
