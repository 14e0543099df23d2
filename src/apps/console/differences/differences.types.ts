import type {
  ControlTotals,
  Difference,
  FoundTotals,
} from '../../../accounts/counts/account-counts.types.js';

/** The control totals of an account, and the sums of its import requests' records. */
export interface ComparedAccount {
  readonly expected: ControlTotals;
  readonly found: FoundTotals;
}

/** An account that differs. */
export interface DifferingAccount extends ComparedAccount {
  readonly externalAccountNumber: string;
  /** How it differs, by the last comparison. */
  readonly state: Difference;
}
