import type { AccountState } from '../status/account-state.js';
import type { ControlState } from '../counts/account-counts.types.js';

/** The states by which accounts are listed. */
export const LISTED_STATES: readonly AccountState[] = ['pending', 'in_progress', 'imported', 'failed'];

/** With any import request that is not undone, or imported and without one. */
export const LOADS = ['none', 'some'] as const;
export type Load = (typeof LOADS)[number];

/** Which accounts of a supplier are listed; what is given holds together. */
export interface AccountListFilter {
  readonly state?: AccountState | undefined;
  readonly load?: Load | undefined;
  /** Only those that differ from their control totals. */
  readonly differs?: boolean | undefined;
  /** Only those whose import failed for this cause (accounts/importing/failure-cause.ts). */
  readonly cause?: string | undefined;
}

/** An account as lists show it. */
export interface ListedAccount {
  readonly externalAccountNumber: string;
  readonly state: AccountState;
  /** Of an imported account. */
  readonly serviceAccountNumber: string | null;
  readonly stagedAt: Date;
  /** When it was imported. */
  readonly accountCreatedAt: Date | null;
  /** Import requests that are not undone, and when the last of them was stored. */
  readonly requests: number;
  readonly lastRequestAt: Date | null;
  /** How it compares with its control totals; null where it has none. */
  readonly control: ControlState | null;
  /** Why its import failed, and when; null unless it is failed. */
  readonly failure: string | null;
  readonly failedAt: Date | null;
}
