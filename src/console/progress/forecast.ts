import type { AccountState } from '../../accounts/account-state.js';
import type { SupplierStatus } from '../../import-suppliers/import-supplier.entity.js';

const MINUTE_MS = 60_000;
/** The rate is that of so many minutes. */
const WINDOW_MINUTES = 30;
/** A forecast for a later time than this says nothing. */
const FORECAST_MAX_MS = 365 * 24 * 60 * MINUTE_MS;

/** When the pending accounts will be imported, or why that cannot be said. */
export type Forecast =
  | { readonly kind: 'no_accounts' | 'nothing_pending' | 'not_ongoing' | 'no_progress' | 'more_than_a_year' }
  | { readonly kind: 'at'; readonly at: Date };

/** The beginning of the first minute whose imported accounts count for a forecast. @param asOf time of the totals */
export function forecastSince(asOf: Date): Date {
  return new Date((Math.floor(asOf.getTime() / MINUTE_MS) - WINDOW_MINUTES) * MINUTE_MS);
}

/**
 * When the accounts that are not imported yet will be, at the rate of the last 30 minutes. Failed accounts do not count.
 *
 * @param asOf time of the totals
 * @param importedRecently accounts that were imported from {@link forecastSince} to `asOf`
 * @returns a whole minute, rounded up, and never before `asOf`
 */
export function forecast(
  asOf: Date,
  status: SupplierStatus,
  accounts: Readonly<Record<AccountState, number>>,
  importedRecently: number,
): Forecast {
  const left = accounts.pending + accounts.in_progress;
  if (left <= 0)
    return { kind: left + accounts.imported + accounts.failed <= 0 ? 'no_accounts' : 'nothing_pending' };
  if (status !== 'ongoing') return { kind: 'not_ongoing' };
  if (importedRecently <= 0) return { kind: 'no_progress' };
  const elapsedMs = asOf.getTime() - forecastSince(asOf).getTime();
  const neededMs = (left / importedRecently) * elapsedMs;
  if (neededMs > FORECAST_MAX_MS) return { kind: 'more_than_a_year' };
  return { kind: 'at', at: new Date(Math.ceil((asOf.getTime() + neededMs) / MINUTE_MS) * MINUTE_MS) };
}
