import type { AccountState } from '../../../accounts/status/account-state.js';
import type { ControlTotals, FoundTotals } from '../../../accounts/counts/account-counts.types.js';

/** An account that differs from its control totals. */
export interface ControlDifference {
  readonly externalAccountNumber: string;
  readonly expected: ControlTotals;
  /** Counted from the rows. */
  readonly found: FoundTotals;
}

/** Counts that decide whether a migration is complete, from the rows in one snapshot. */
export interface MigrationCounts {
  readonly accounts: Readonly<Record<AccountState, number>>;
  /** The number of accounts with control totals, and of those that differ. */
  readonly control: { readonly with: number; readonly differ: number };
}

/** Whether nothing is missing: every account is imported, and none differs from what it must hold (choice V6). */
export function isWhole({ accounts, control }: MigrationCounts): boolean {
  return accounts.pending + accounts.in_progress + accounts.failed + control.differ === 0;
}
