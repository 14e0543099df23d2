import type { ControlTotals, Difference, FoundTotals } from '../../totals/account-counts.types.js';
import type { SupplierTotals } from '../../totals/totals.types.js';
import type { NumberedPage } from '../common/numbered-page.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';

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
export interface Differences {
  readonly supplier: ViewedSupplier;
  readonly control: SupplierTotals['control'];
  /** How the listed accounts differ; undefined for all. */
  readonly state: Difference | undefined;
  readonly accounts: NumberedPage<DifferingAccount>;
}
