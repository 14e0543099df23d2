import type { AccountState } from '../accounts/account-state.js';
import type { ControlCounts } from './account-counts.types.js';
import type { ItemCounts } from '../items/items.js';

/** The totals of a supplier, which contain everything up to a moment. */
export interface SupplierTotals {
  /** Everything up to this moment is contained; some of what came later may be. */
  readonly asOf: Date;
  readonly accounts: Readonly<Record<AccountState, number>>;
  /** Accounts with any import request that stored something and is not undone. */
  readonly loadedAccounts: number;
  /** Import requests that stored something, but for those that are undone or of erased accounts. */
  readonly requests: number;
  readonly items: ItemCounts;
  /** Exact sum of the amounts of all transactions, as a decimal with at least two places. */
  readonly amount: string;
  /** Of the last import request that stored something; that one may have been erased or undone. */
  readonly lastRequestAt: Date | null;
  readonly control: ControlCounts;
}

/** What was added to a supplier in one minute, or in a step of several. What was erased or undone later is still counted. */
export interface MinuteTotals {
  readonly importSupplierId: number;
  /** Its beginning. */
  readonly minute: Date;
  readonly requests: number;
  readonly items: ItemCounts;
  /** Accounts that were imported, and whose import failed. */
  readonly imported: number;
  readonly failed: number;
}

/** What `totals check` compares. */
export interface CheckedTotals extends ItemCounts {
  readonly pending: number;
  readonly imported: number;
  readonly failed: number;
  readonly loaded_accounts: number;
  readonly requests: number;
  readonly amount: string;
}

/** The totals of a supplier, with the changes that are not in them yet, and the same counted from the rows. */
export interface TotalsCheck {
  readonly agrees: boolean;
  readonly totals: CheckedTotals;
  readonly rows: CheckedTotals;
  /** Accounts of which it is wrong whether they differ from their control totals. */
  readonly misjudged: number;
  /** Whether the totals were replaced. */
  readonly isRepaired: boolean;
}
