import type { SupplierStatus } from '../../import-suppliers/import-supplier.entity.js';
import type { ItemName } from '../../infrastructure/item-names/item-names.js';
import { rowProgress, type RowProgress } from './row-progress.js';
import type { MinuteTotals, SupplierTotals } from './totals.types.js';

const MINUTE_MS = 60_000;
/** The rate is measured over this many minutes. */
const WINDOW_MINUTES = 30;
/** Without progress for this many minutes there is no forecast. */
const STOPPED_MINUTES = 3;
/** A forecast further ahead than this is not given. */
const FORECAST_MAX_MS = 365 * 24 * 60 * MINUTE_MS;

/** The subject of a forecast: the import of accounts, or the rows that control totals expect. */
export type Forecasted = 'accounts' | 'rows';

/** When a migration will be done, or why there is no forecast. */
export type Forecast =
  | { readonly kind: 'no_accounts' | 'all_imported' | 'all_loaded' | 'not_ongoing' | 'more_than_a_year' }
  /** Nothing was imported or stored for some minutes. `last` is when something last was; null when that is not known. */
  | { readonly kind: 'stopped'; readonly of: Forecasted; readonly last: Date | null }
  | { readonly kind: 'at'; readonly of: Forecasted; readonly at: Date };

/** How fast a migration proceeds. */
export interface Pace {
  /** When the first of the accounts that are now pending was staged. */
  readonly pendingSince: Date | null;
  /** The last minute in which an account was imported, within a week. */
  readonly lastImportedAt: Date | null;
  /** The minutes from {@link paceSince} on in which anything was added, in the order of time. */
  readonly minutes: readonly Pick<MinuteTotals, 'minute' | 'items' | 'imported'>[];
}

/** The start of the first minute that counts for a forecast. */
export function paceSince(now: Date): Date {
  return new Date((Math.floor(now.getTime() / MINUTE_MS) - WINDOW_MINUTES) * MINUTE_MS);
}

/**
 * When the expected rows will be stored, if their number is known, or else when the pending accounts will be imported. The
 * rate is that of the last 30 minutes, or since the first progress in them. There is no forecast when progress has stopped in
 * what is forecast, or in the import while an account is pending. Failed accounts do not count as pending.
 *
 * @returns a whole minute, rounded up
 * Source: choice C12; decision 14 (docs/decisions/).
 */
export function forecast(now: Date, status: SupplierStatus, totals: SupplierTotals, pace: Pace): Forecast {
  const { pending, in_progress, imported, failed } = totals.accounts;
  const waiting = pending + in_progress;
  const rows = rowProgress(totals);
  const missing = rows ? rows.expected - rows.stored : 0;
  if (waiting + imported + failed <= 0) return { kind: 'no_accounts' };
  if (waiting <= 0 && missing <= 0) return { kind: rows ? 'all_loaded' : 'all_imported' };
  if (status !== 'ongoing') return { kind: 'not_ongoing' };
  const { lastImportedAt: last } = pace;
  const msForAccount = msForOneOf(now, pace, ({ imported: accounts }) => accounts);
  if (waiting > 0 && msForAccount === undefined) return { kind: 'stopped', of: 'accounts', last };
  if (missing <= 0 || !rows) return forecastOf('accounts', now, waiting, msForAccount, last);
  const msForRow = msForOneOf(now, pace, (minute) => rowsOf(minute, rows));
  return forecastOf('rows', now, missing, msForRow, totals.lastRequestAt);
}

function forecastOf(
  of: Forecasted,
  now: Date,
  left: number,
  msForOne: number | undefined,
  last: Date | null,
): Forecast {
  if (msForOne === undefined) return { kind: 'stopped', of, last };
  const neededMs = left * msForOne;
  if (neededMs > FORECAST_MAX_MS) return { kind: 'more_than_a_year' };
  return { kind: 'at', of, at: new Date(Math.ceil((now.getTime() + neededMs) / MINUTE_MS) * MINUTE_MS) };
}

type PaceMinute = Pace['minutes'][number];

/** The time that one account or row has taken, in milliseconds; undefined when progress has stopped. */
function msForOneOf(now: Date, pace: Pace, doneIn: (minute: PaceMinute) => number): number | undefined {
  const active = pace.minutes.filter((minute) => doneIn(minute) > 0);
  const [first, last] = [active[0], active.at(-1)];
  if (!first || !last) return undefined;
  const elapsedMs = Math.max(now.getTime() - first.minute.getTime(), MINUTE_MS);
  const quietMs = now.getTime() - last.minute.getTime() - MINUTE_MS;
  if (quietMs >= STOPPED_MINUTES * MINUTE_MS) return undefined;
  return elapsedMs / active.reduce((sum, minute) => sum + doneIn(minute), 0);
}

/** The number of rows of the expected kinds in a minute. */
function rowsOf({ items }: PaceMinute, { kinds }: RowProgress): number {
  return (Object.keys(kinds) as ItemName[]).reduce((sum, name) => sum + items[name], 0);
}

/** A forecast in words: the text before and after its time. Source: choice C12. */
export interface ForecastWords {
  readonly before: string;
  readonly at?: Date;
  readonly after: string;
}

export function forecastWords(found: Forecast): ForecastWords {
  if (found.kind === 'at') {
    const done = found.of === 'rows' ? 'Expected rows loaded' : 'Pending accounts imported';
    return { before: `${done} at`, at: found.at, after: ', at the present rate.' };
  }
  if (found.kind !== 'stopped') return { before: TEXTS[found.kind], after: '' };
  const { of, last } = found;
  const none = of === 'rows' ? 'No rows' : 'No account imported';
  if (last) return { before: `${none} since`, at: last, after: '.' };
  return { before: `${none} ${of === 'rows' ? 'yet' : 'in the last week'}.`, after: '' };
}

const TEXTS: Readonly<Record<Exclude<Forecast['kind'], 'at' | 'stopped'>, string>> = {
  no_accounts: 'No account is staged yet.',
  all_imported: 'No account is pending.',
  all_loaded: 'All expected rows are loaded.',
  not_ongoing: 'Nothing is imported or loaded unless the supplier is ongoing.',
  more_than_a_year: 'More than a year, at the present rate.',
};
