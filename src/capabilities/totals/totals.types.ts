import type { AccountState } from '../../accounts/status/account-state.js';
import type { ControlCounts } from '../../accounts/counts/account-counts.types.js';
import type { ItemCounts, ItemName } from '../../infrastructure/item-names/item-names.js';

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
  /** Of the notes, those that the service has pinned (choice X7); no supplier expects them. */
  readonly pinnedNotes: number;
  /** Exact sum of the amounts of all transactions, as a decimal with at least two places. */
  readonly amount: string;
  /** Of the last import request that stored something; that one may have been erased or undone. */
  readonly lastRequestAt: Date | null;
  readonly control: ControlCounts;
  /** What all accounts together must hold, as it was counted at the time of `control`; null of a kind that an account has no total of. */
  readonly expected: Readonly<Record<ItemName, number | null>>;
}

/** What was added to a supplier in one minute, or in a step of several. What was erased or undone later is still counted. */
export interface MinuteTotals {
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
  readonly pinned_notes: number;
  readonly amount: string;
}

/** Accounts that are judged wrongly, although no change of them waits. */
export interface Misjudged {
  /** By their control totals. */
  readonly controls: number;
  /** As without a load, or as with one. */
  readonly unloaded: number;
}

/** The totals of a supplier, with the changes that are not in them yet, and the same counted from the rows. */
export interface TotalsCheck {
  readonly agrees: boolean;
  readonly totals: CheckedTotals;
  readonly rows: CheckedTotals;
  readonly misjudged: Misjudged;
  /** Whether the totals were replaced. */
  readonly isRepaired: boolean;
}
