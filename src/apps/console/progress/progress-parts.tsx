import type { VNode } from 'preact';
import {
  DIFFERENCE_NAMES,
  DIFFERENCES,
  isWrong,
  type ControlCounts,
} from '../../../accounts/counts/account-counts.types.js';
import { countedBounded } from '../../../capabilities/conditions/bounded-counts.js';
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
import type { DocumentState, SupplierProgress } from './progress.types.js';

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

/** The share of the expected rows that is stored; when that is unknown, how many accounts have any (choice C12). */
export function RowsText({ progress: { supplier, totals, rows } }: { progress: SupplierProgress }): VNode {
  if (!rows) {
    return (
      <p>
        <a href={ADDRESSES.accounts(supplier.code, { load: 'some' })}>
          {counted(totals.loadedAccounts, 'account')}
        </a>{' '}
        with at least one import
      </p>
    );
  }
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

/** The share of the expected rows as a bar. A part that is not empty is always visible. */
export function RowsBar({ rows: { stored, expected, percent } }: { rows: RowProgress }): VNode {
  const width = stored > 0 ? Math.min(1_000, Math.max(6, Math.round(percent * 10))) : 0;
  return (
    <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img">
      <title>{`${formatCount(stored)} of ${formatCount(expected)} expected rows`}</title>
      <rect class="bar-empty" width="1000" height="10" />
      <rect class="key-imported" width={width} height="10" />
    </svg>
  );
}

/** The results of comparing accounts with their control totals, and their time; nothing without control totals. */
export function ControlText({ code, control }: { code: string; control: ControlCounts }): VNode | null {
  const { with: controlled, differ, at } = control;
  if (controlled === 0) return null;
  return (
    <>
      <ul class="legend control">
        <li class="key-imported">
          Agree <strong>{formatCount(controlled - differ)}</strong>
        </li>
        {DIFFERENCES.map((state) => (
          <li key={state} class={isWrong(state) && control[state] > 0 ? 'key-failed wrong' : 'key-pending'}>
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

/** The address of the list of documents in a state. */
export function documentsAddress(code: string, state: DocumentState): string {
  return ADDRESSES.documents(code, { state });
}

/** The numbers of missing documents and of documents that were not looked up yet. */
export function DocumentNumbers({ progress }: { progress: SupplierProgress }): VNode {
  const { supplier, missingDocuments, documentsNotLookedUp } = progress;
  return (
    <p>
      <a href={documentsAddress(supplier.code, 'missing')}>
        {countedBounded(missingDocuments, 'missing document')}
      </a>
      {', '}
      <a href={documentsAddress(supplier.code, 'not_looked_up')}>
        {countedBounded(documentsNotLookedUp, 'document')} not looked up yet
      </a>
    </p>
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
