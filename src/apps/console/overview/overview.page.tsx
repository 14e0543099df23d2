import type { VNode } from 'preact';
import type { Forecast } from '../../../capabilities/totals/forecast.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { formatCount, formatMinute } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { usePageContext } from '../layout/page-context.js';
import type { Page } from '../layout/page.js';
import { Section, UpdatingPart } from '../layout/section.js';
import { Table, type Column } from '../layout/table.js';
import { GroupedAttention } from '../progress/attention-list.js';
import { chartAddress, HistorySection } from '../progress/history-section.js';
import { boundedText, ForecastText, RowsBar, StatusBadge } from '../progress/progress-parts.js';
import type { BoundedCount, SupplierProgress } from '../progress/progress.types.js';
import type { Overview } from './overview.types.js';

export function overviewPage(overview: Overview): Page {
  const { asOf, suppliers, archived, attention, history, chartOf } = overview;
  const isEmpty = suppliers.length === 0;
  const complete = suppliers.filter(({ supplier }) => supplier.status === 'complete');
  const others = suppliers.filter(({ supplier }) => supplier.status !== 'complete');
  return {
    title: 'Overview',
    place: 'overview',
    body: (
      <UpdatingPart
        id="overview"
        address={chartAddress(ADDRESSES.overview, history.span, chartOf)}
        everySeconds={10}
      >
        <Section id="attention" title="Needs attention">
          <GroupedAttention attention={attention} />
        </Section>
        <Section id="suppliers" title="Suppliers">
          {isEmpty && archived.length === 0 && <NoSupplier />}
          {others.length > 0 && (
            <>
              <p class="muted as-of">
                As of <DateTime at={asOf} relative />
              </p>
              <Suppliers caption="Suppliers that are not complete" suppliers={others} />
            </>
          )}
          {complete.length > 0 && (
            <details id="complete">
              <summary>{`${formatCount(complete.length)} complete`}</summary>
              <Suppliers caption="Complete suppliers" suppliers={complete} />
            </details>
          )}
          {archived.length > 0 && <Archived suppliers={archived} />}
        </Section>
        {!isEmpty && (
          <HistorySection
            history={history}
            address={ADDRESSES.overview}
            suppliers={suppliers.map(({ supplier }) => supplier)}
            chosen={chartOf}
          />
        )}
      </UpdatingPart>
    ),
  };
}

/** Suppliers whose migration is over, without their progress (choice S11). */
function Archived({ suppliers }: { suppliers: Overview['archived'] }): VNode {
  return (
    <details id="archived">
      <summary>{`${formatCount(suppliers.length)} archived`}</summary>
      <Table
        caption="Archived suppliers"
        rows={suppliers}
        columns={[
          { head: 'Supplier', kind: 'row', cell: (supplier) => <SupplierName supplier={supplier} /> },
          { head: 'Archived', cell: ({ archivedAt }) => <DateTime at={archivedAt} /> },
        ]}
      />
    </details>
  );
}

function SupplierName({ supplier: { code, name } }: Pick<SupplierProgress, 'supplier'>): VNode {
  return (
    <>
      <a href={ADDRESSES.supplier(code)}>{name}</a>{' '}
      <span class="muted code">{name === code ? '' : code}</span>
    </>
  );
}

interface SuppliersProps {
  readonly suppliers: readonly SupplierProgress[];
  readonly caption: string;
}

/** One row for each supplier. */
function Suppliers({ suppliers, caption }: SuppliersProps): VNode {
  return <Table caption={caption} kind="suppliers" rows={suppliers} columns={COLUMNS} />;
}

const COLUMNS: readonly Column<SupplierProgress>[] = [
  { head: 'Supplier', kind: 'row', cell: SupplierName },
  { head: 'Status', cell: ({ supplier: { status } }) => <StatusBadge status={status} /> },
  { head: 'Imported', kind: 'number', cell: (progress) => <Imported progress={progress} /> },
  { head: 'Rows', cell: (progress) => <RowsCell progress={progress} /> },
  { head: 'Forecast', cell: ({ forecast }) => <ForecastCell forecast={forecast} /> },
  { head: 'Needs attention', cell: (progress) => <Badges progress={progress} /> },
];

/** A short form of {@link ForecastText}. The status beside it says when a supplier is not ongoing. */
function ForecastCell({ forecast }: { forecast: Forecast }): VNode {
  const { timeZone, now } = usePageContext();
  if (forecast.kind === 'not_ongoing') return <>–</>;
  if (forecast.kind !== 'at') return <ForecastText forecast={forecast} />;
  return (
    <p class="forecast">
      {forecast.of === 'rows' ? 'Rows' : 'Accounts'} by{' '}
      <time dateTime={forecast.at.toISOString()}>{formatMinute(forecast.at, now, timeZone)}</time>
    </p>
  );
}

/** The share of the expected rows that is stored; when that is unknown, how many accounts have any (choice C12). */
function RowsCell({ progress: { supplier, totals, rows } }: { progress: SupplierProgress }): VNode {
  if (!rows) {
    const list = ADDRESSES.accounts(supplier.code, { load: 'some' });
    return (
      <>
        <a href={list}>{formatCount(totals.loadedAccounts)}</a> with an import
      </>
    );
  }
  return (
    <span class="share">
      <RowsBar rows={rows} /> {rows.percent} %
    </span>
  );
}

/** The number of imported accounts out of all. */
function Imported({ progress: { supplier, totals } }: { progress: SupplierProgress }): VNode {
  const { pending, in_progress, imported, failed } = totals.accounts;
  const list = ADDRESSES.accounts(supplier.code);
  return (
    <>
      <a href={withQuery(list, { state: 'imported' })}>{formatCount(imported)}</a>
      {' of '}
      <a href={list}>{formatCount(pending + in_progress + imported + failed)}</a>
    </>
  );
}

/** Links to everything that needs attention. */
function Badges({ progress: { supplier, totals, signs } }: { progress: SupplierProgress }): VNode {
  const { code } = supplier;
  const { accounts, control } = totals;
  const differing = (state: string): string => ADDRESSES.differences(code, { state });
  const exactly = (count: number): BoundedCount => ({ count, isMore: false });
  const badges = [
    ['failed', exactly(accounts.failed), ADDRESSES.accounts(code, { state: 'failed' })],
    ['too many rows', exactly(control.too_many), differing('too_many')],
    ['amount differs', exactly(control.wrong_amount), differing('wrong_amount')],
    ['rejected', signs.refusals, ADDRESSES.failures(code, { period: 'hour' })],
  ] as const;
  return (
    <>
      {badges
        .filter(([, { count }]) => count > 0)
        .map(([text, count, href]) => (
          <a key={text} class="badge badge-failed" href={href}>
            {boundedText(count)} {text}
          </a>
        ))}
    </>
  );
}

function NoSupplier(): VNode {
  if (usePageContext().user?.kind === 'admin')
    return (
      <p class="empty">
        Your organisation has no access to an import supplier. Ask the operators of the platform for access.
      </p>
    );
  return (
    <p class="empty">
      There is no import supplier yet. The command <code>data-import supplier create CODE --name NAME</code>{' '}
      creates one.
    </p>
  );
}
