import type {
  ControlTotals,
  Difference,
  FoundTotals,
} from '../../../accounts/counts/account-counts.types.js';
import type { SupplierTotals } from '../../../capabilities/totals/totals.types.js';
import type { ListPage } from '../common/cursor.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

/** What an account must hold, and what the records of its import requests add up to. */
export interface ComparedAccount {
  readonly expected: ControlTotals;
  readonly found: FoundTotals;
}

/** An account that differs. */
export interface DifferingAccount extends ComparedAccount {
  readonly externalAccountNumber: string;
  /** How it differs, as it was judged last. */
  readonly state: Difference;
}

/** What the page of the accounts that differ shows. */
export interface Differences extends SupplierRequest {
  readonly control: SupplierTotals['control'];
  /** How the listed accounts differ; undefined for all. */
  readonly state: Difference | undefined;
  readonly accounts: ListPage<DifferingAccount>;
}
