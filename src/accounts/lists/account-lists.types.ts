import type { AccountState } from '../status/account-state.js';
import type { ControlState } from '../counts/account-counts.types.js';

/** The states that lists can filter by. */
export const LISTED_STATES: readonly AccountState[] = ['pending', 'in_progress', 'imported', 'failed'];

/**
 * `some`: accounts with at least one import request that is not undone. `none`: accounts that are imported, but have no such
 * request.
 */
export const HAS_LOAD = ['none', 'some'] as const;
export type Load = (typeof HAS_LOAD)[number];

/** Filters of a list of a supplier's accounts. An account must meet all of them. */
export interface AccountListFilter {
  readonly state?: AccountState | undefined;
  readonly load?: Load | undefined;
  /** Only those that differ from their control totals. */
  readonly differs?: boolean | undefined;
  /** Only those whose import failed for this cause (accounts/importing/failure-cause.ts). */
  readonly cause?: string | undefined;
}

/** An account in a list. */
export interface ListedAccount {
  readonly externalAccountNumber: string;
  readonly state: AccountState;
  /** Null unless the account is imported. */
  readonly serviceAccountNumber: string | null;
  readonly stagedAt: Date;
  /** When the account was imported. */
  readonly accountCreatedAt: Date | null;
  /** The number of import requests that are not undone, and when the last of them was stored. */
  readonly requests: number;
  readonly lastRequestAt: Date | null;
  /** How the account compares with its control totals; null if it has none. */
  readonly control: ControlState | null;
  /** Why and when the import failed; null unless the state is `failed`. */
  readonly failure: string | null;
  readonly failedAt: Date | null;
}
