import type { SupplierStatus } from '../../import-suppliers/import-supplier.entity.js';
import type { AccountState } from '../../accounts/status/account-state.js';
import type { ItemCounts } from '../../infrastructure/item-names/item-names.js';
import type { Forecast } from './forecast.js';
import type { RowProgress } from './row-progress.js';
import type { SupplierTotals } from './totals.types.js';

/** How far the import of a supplier's accounts is. */
export interface ImportProgress {
  readonly status: SupplierStatus;
  readonly totals: SupplierTotals;
  /** Undefined when it is not known how many rows there will be. */
  readonly rows: RowProgress | undefined;
  readonly forecast: Forecast;
  /** The account whose import failed last, and why. */
  readonly lastError: { readonly externalAccountNumber: string; readonly failure: string } | undefined;
}

/** Everything that is known about one account. */
export interface AccountDetails {
  readonly state: AccountState;
  readonly service_account_number: string | null;
  readonly account_created_at: Date | null;
  readonly open_statement_from: string | null;
  readonly open_statement_to: string | null;
  /** Why the import failed, while the account is failed. */
  readonly failure: string | null;
  readonly counts: ItemCounts;
}
