import type { AccountState } from '../../accounts/status/account-state.js';
import type { ControlCounts } from '../../accounts/counts/account-counts.types.js';
import type { ItemCounts, ItemName } from '../../infrastructure/item-names/item-names.js';

/** The totals of a supplier, which include everything up to a point in time. */
export interface SupplierTotals {
  /** Everything up to this time is included, and perhaps some of what came later. */
  readonly asOf: Date;
  readonly accounts: Readonly<Record<AccountState, number>>;
  /** Accounts with any import request that stored something and is not undone. */
  readonly loadedAccounts: number;
  /** Import requests that stored something, without undone requests and those of erased accounts. */
  readonly requests: number;
  readonly items: ItemCounts;
  /** The notes among them that the service has pinned (choice X7); no supplier expects them. */
  readonly pinnedNotes: number;
  /** Exact sum of the amounts of all transactions, as a decimal with at least two places. */
  readonly amount: string;
  /** Time of the last import request that stored something; it may have been erased or undone since. */
  readonly lastRequestAt: Date | null;
  readonly control: ControlCounts;
  /**
   * The rows that all accounts together must hold, as counted at the time of `control`; null for a kind for which an
   * account has no control total.
   */
  readonly expected: Readonly<Record<ItemName, number | null>>;
}

/** The counts added to a supplier in one minute, or in a step of several. Rows that were erased or undone later still count. */
export interface MinuteTotals {
  /** The beginning of the minute or step. */
  readonly minute: Date;
  readonly requests: number;
  readonly items: ItemCounts;
  /** Accounts that were imported, and accounts whose import failed. */
  readonly imported: number;
  readonly failed: number;
}

/** The counts that `totals check` compares. */
export interface CheckedTotals extends ItemCounts {
  readonly pending: number;
  readonly imported: number;
  readonly failed: number;
  readonly loaded_accounts: number;
  readonly requests: number;
  readonly pinned_notes: number;
  readonly amount: string;
}

/** The number of accounts with a wrong stored result, although none of their changes waits. */
export interface WrongAccounts {
  /** With a wrong result of the comparison with their control totals. */
  readonly controls: number;
  /** Wrongly listed as with or without an import request. */
  readonly unloaded: number;
}

/** The totals of a supplier, including the changes that are not added yet, and the same counted from the rows. */
export interface TotalsCheck {
  readonly agrees: boolean;
  readonly totals: CheckedTotals;
  readonly rows: CheckedTotals;
  readonly wrong: WrongAccounts;
  /** Whether the totals were replaced. */
  readonly isRepaired: boolean;
}
