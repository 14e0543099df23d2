import type { VNode } from 'preact';
import type { ControlCounts } from '../../totals/account-counts.types.js';
import type { SupplierTotals } from '../../totals/totals.types.js';
import type { SupplierStatus } from '../../import-suppliers/import-supplier.entity.js';
import { ADDRESSES } from '../common/addresses.js';
import { counted, formatCount, formatMinute, formatMoney } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { usePageContext } from '../layout/page-context.js';
import { Statistics } from '../layout/pairs.js';
import type { Forecast } from './forecast.js';
import type { BoundedCount } from './progress.types.js';
import { countRows } from '../../items/items.js';

/** The status of a supplier. */
export function StatusBadge({ status }: { status: SupplierStatus }): VNode {
  return <span class={`badge badge-${status}`}>{status}</span>;
}

/** The items of a supplier by kind, and the amount of its transactions. */
export function LoadedItems({ totals: { items, amount } }: { totals: SupplierTotals }): VNode {
  return (
    <Statistics
      of={[
        ...countRows(items).map(([name, count]) => [name, formatCount(count)] as const),
        ['Sum of the transactions', formatMoney(amount)],
      ]}
    />
  );
}

/** How many of the accounts with control totals differ, and up to which time that is known; nothing without any. */
export function ControlText({ code, control }: { code: string; control: ControlCounts }): VNode | null {
  const { with: controlled, differ, at } = control;
  if (controlled === 0) return null;
  return (
    <p class="control">
      {differ === 0 ? (
        `None of ${counted(controlled, 'account')} with control totals differs`
      ) : (
        <>
          <a href={ADDRESSES.differences(code)}>
            {counted(differ, 'account')} of {formatCount(controlled)}
          </a>{' '}
          {differ === 1 ? 'differs' : 'differ'} from the control totals
        </>
      )}
      {at && (
        <span class="muted">
          , as of <DateTime at={at} />
        </span>
      )}
      .
    </p>
  );
}

/** `1,000`, or `more than 1,000` when it was not counted further. */
function boundedText({ count, isMore }: BoundedCount): string {
  return isMore ? `more than ${formatCount(count)}` : formatCount(count);
}

/** `1 document was`, `more than 1,000 documents were` */
export function countedBounded(bounded: BoundedCount, one: string): string {
  const isOne = bounded.count === 1 && !bounded.isMore;
  return `${boundedText(bounded)} ${isOne ? `${one} was` : `${one}s were`}`;
}

/** When the pending accounts will be imported. @param now which day is today */
export function ForecastText({ forecast, now }: { forecast: Forecast; now: Date }): VNode {
  const { timeZone } = usePageContext();
  if (forecast.kind !== 'at') return <p class="forecast">{FORECAST_TEXTS[forecast.kind]}</p>;
  return (
    <p class="forecast">
      At the rate of the last 30 minutes the pending accounts are imported at{' '}
      <strong>
        <time dateTime={forecast.at.toISOString()}>{formatMinute(forecast.at, now, timeZone)}</time>
      </strong>
      .
    </p>
  );
}

const FORECAST_TEXTS: Readonly<Record<Exclude<Forecast['kind'], 'at'>, string>> = {
  no_accounts: 'No account is staged yet.',
  nothing_pending: 'No account is pending.',
  not_ongoing: 'Accounts are imported only while the supplier is ongoing.',
  no_progress: 'No account was imported in the last 30 minutes, so there is no forecast.',
  more_than_a_year: 'At the rate of the last 30 minutes the pending accounts take more than a year.',
};
