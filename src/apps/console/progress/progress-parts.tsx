import type { VNode } from 'preact';
import {
  DIFFERENCE_NAMES,
  DIFFERENCES,
  isWrong,
  type ControlCounts,
} from '../../../accounts/counts/account-counts.types.js';
import { cutOverText } from '../../../capabilities/conditions/cut-over.js';
import { forecastWords, type Forecast } from '../../../capabilities/totals/forecast.js';
import type { RowProgress } from '../../../capabilities/totals/row-progress.js';
import type { SupplierStatus } from '../../../import-suppliers/import-supplier.entity.js';
import { ITEM_NAMES } from '../../../infrastructure/item-names/item-names.js';
import { ITEMS } from '../../../ingest/kinds/items.js';
import { ADDRESSES } from '../common/addresses.js';
import { counted, formatCount, formatDay, formatMinute, formatMoney } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { usePageContext } from '../layout/page-context.js';
import { Statistics, type Pair } from '../layout/pairs.js';
import type { SupplierProgress } from './progress.types.js';

export function StatusBadge({ status }: { status: SupplierStatus }): VNode {
  return <span class={`badge badge-${status}`}>{status}</span>;
}

/** The items of a supplier by kind, with the expected number if known, and the control sum of its transactions. */
export function LoadedItems({ progress: { totals, rows } }: { progress: SupplierProgress }): VNode {
  const { items, pinnedNotes, amount } = totals;
  const loaded = ITEM_NAMES.map((name): Pair => {
    const share = rows?.kinds[name];
    const stored = items[name] - (share && name === 'notes' ? pinnedNotes : 0);
    return [
      ITEMS[name].label,
      <>
        {formatCount(stored)}
        {share && <span class="muted">{` of ${formatCount(share.expected)}`}</span>}
      </>,
    ];
  });
  return <Statistics pairs={[...loaded, ['Control sum', formatMoney(amount)]]} />;
}

/** The share of the expected rows that is stored; nothing when that is unknown (choice C12). */
export function RowsText({ rows }: Pick<SupplierProgress, 'rows'>): VNode | null {
  if (!rows) return null;
  const expected = ITEM_NAMES.filter((name) => rows.kinds[name] !== undefined);
  return (
    <>
      <RowsBar rows={rows} />
      <p>
        <strong>{rows.percent} %</strong>
        {`: ${formatCount(rows.stored)} of ${formatCount(rows.expected)} expected rows`}
        {expected.length < ITEM_NAMES.length && (
          <span class="muted">{` (${expected.map((name) => ITEMS[name].label.toLowerCase()).join(', ')})`}</span>
        )}
      </p>
    </>
  );
}

export function RowsBar({ rows: { stored, expected } }: { rows: RowProgress }): VNode {
  return <Bar part={stored} whole={expected} what="expected rows" />;
}

/** A share of a whole. */
export function Bar({ part, whole, what }: { part: number; whole: number; what: string }): VNode {
  const text = `${formatCount(part)} of ${formatCount(whole)} ${what}`;
  return <progress max={Math.max(whole, 1)} value={Math.max(part, 0)} aria-label={text} title={text} />;
}

/** The results of comparing accounts with their control totals, and their time; nothing without control totals. */
export function ControlText({ code, control }: { code: string; control: ControlCounts }): VNode | null {
  const { with: controlled, differ, at } = control;
  if (controlled === 0) return null;
  return (
    <>
      <ul class="legend">
        <li>
          Agree <strong>{formatCount(controlled - differ)}</strong>
        </li>
        {DIFFERENCES.map((state) => (
          <li key={state} class={isWrong(state) && control[state] > 0 ? 'wrong' : undefined}>
            <a href={ADDRESSES.differences(code, { state })}>{DIFFERENCE_NAMES[state]}</a>{' '}
            <strong>{formatCount(control[state])}</strong>
          </li>
        ))}
      </ul>
      {at && (
        <p class="muted">
          {counted(controlled, 'account')} with control totals, as of <DateTime at={at} />
        </p>
      )}
    </>
  );
}

/** When the migration will be done, or since when there is no progress. */
export function ForecastText({ forecast }: { forecast: Forecast }): VNode {
  const { timeZone } = usePageContext();
  const { before, at, after } = forecastWords(forecast);
  return (
    <p class="forecast">
      {before}
      {at && (
        <>
          {' '}
          <strong>
            <time dateTime={at.toISOString()}>{formatMinute(at, timeZone)}</time>
          </strong>
        </>
      )}
      {after}
    </p>
  );
}

/** The day of the cut-over, and the pace that it needs; nothing without a day. */
export function CutOverText({ progress: { cutOver } }: { progress: SupplierProgress }): VNode | null {
  if (!cutOver) return null;
  return <p class="forecast">Cut-over {cutOverText(cutOver, formatDay(cutOver.day))}.</p>;
}
