import type {
  ControlTotals,
  Difference,
  FoundTotals,
} from '../../../accounts/counts/account-counts.types.js';
import type { SupplierTotals } from '../../../capabilities/totals/totals.types.js';
import type { ListPage } from '../common/cursor.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

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

/** The view model of the page of the accounts that differ. */
export interface Differences extends SupplierRequest {
  readonly control: SupplierTotals['control'];
  /** How the listed accounts differ; undefined for all. */
  readonly state: Difference | undefined;
  readonly accounts: ListPage<DifferingAccount>;
}
