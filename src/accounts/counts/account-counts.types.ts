import { ITEM_NAMES, type ItemName } from '../../infrastructure/item-names/item-names.js';
import { ITEMS, type Section } from '../../ingest/kinds/items.js';

/** The expected totals of an account, by the columns of `account_control`; null where nothing is expected (choice V6). */
export type ControlTotals = Readonly<Record<ItemName, number | null>> & {
  /** Exact sum of the amounts of the transactions, a decimal with two places. */
  readonly amount: string | null;
};

/** The actual totals of an account, by the same names. The note that the service pins for moved transactions is not counted. */
export type FoundTotals = { readonly [Name in keyof ControlTotals]: NonNullable<ControlTotals[Name]> };

/**
 * How an account differs from its control totals. Missing items may still arrive. Too many items, or all items with a wrong sum,
 * are an error.
 *
 * Source: choice V6; decision 14 (docs/decisions/).
 */
export const DIFFERENCES = ['not_imported', 'incomplete', 'too_many', 'wrong_amount'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** Labels on pages and in commands. */
export const DIFFERENCE_NAMES: Readonly<Record<Difference, string>> = {
  not_imported: 'Not imported',
  incomplete: 'Not complete yet',
  too_many: 'Too many rows',
  wrong_amount: 'Amount differs',
};

/** Whether the difference is an error. With any other difference, the missing items may still arrive. */
export function isWrong(difference: Difference): boolean {
  return difference === 'too_many' || difference === 'wrong_amount';
}

/** How an account compares with its control totals. */
export type ControlState = 'agrees' | Difference;

/** How many accounts of a supplier have control totals, and how they compare. */
export interface ControlCounts extends Readonly<Record<Difference, number>> {
  readonly with: number;
  /** Sum over all {@link DIFFERENCES}. */
  readonly differ: number;
  /** Every change up to this time is counted; null before the first count. */
  readonly at: Date | null;
}

/** Control totals as files and results write them: one member a section, and for the transactions also their `amount`, a decimal. */
export type WrittenControl<Amount = string> = Partial<
  Readonly<Record<Exclude<Section, 'transactions'>, number>>
> & {
  readonly transactions?: { readonly count?: number; readonly amount?: Amount };
};

/** Totals in their written form: only the expected parts, or all parts found. */
export function writtenControl(totals: ControlTotals | FoundTotals): WrittenControl {
  const { transactions, amount } = totals;
  const booked = {
    ...(transactions !== null && { count: transactions }),
    ...(amount !== null && { amount }),
  };
  return Object.fromEntries(
    ITEM_NAMES.flatMap((name) => {
      const part = name === 'transactions' ? booked : totals[name];
      return part === null || (part === booked && Object.keys(booked).length === 0)
        ? []
        : [[ITEMS[name].section, part]];
    }),
  );
}
