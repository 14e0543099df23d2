import type { VNode } from 'preact';
import type { Forecast } from '../../totals/forecast.js';
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
import type { SupplierProgress } from '../progress/progress.types.js';
import type { Overview } from './overview.types.js';

export function overviewPage(overview: Overview): Page {
  const { asOf, now, suppliers, archived, attention, history, chartOf } = overview;
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
          {isEmpty && archived.length === 0 && <NoSupplier viewer={overview.viewer} />}
          {others.length > 0 && (
            <>
              <p class="muted as-of">
                As of <DateTime at={asOf} relative />
              </p>
              <Suppliers caption="Suppliers that are not complete" suppliers={others} now={now} />
            </>
          )}
          {complete.length > 0 && (
            <details id="complete">
              <summary>{`${formatCount(complete.length)} complete`}</summary>
              <Suppliers caption="Complete suppliers" suppliers={complete} now={now} />
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

/** Those whose migration is over, without their progress (choice S11). */
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
  readonly now: Date;
}

/** One row a supplier. */
function Suppliers({ suppliers, caption, now }: SuppliersProps): VNode {
  const columns = [...COLUMNS, forecastColumn(now), BADGES];
  return <Table caption={caption} kind="suppliers" rows={suppliers} columns={columns} />;
}

const COLUMNS: readonly Column<SupplierProgress>[] = [
  {
    head: 'Supplier',
    kind: 'row',
    cell: SupplierName,
  },
  { head: 'Status', cell: ({ supplier: { status } }) => <StatusBadge status={status} /> },
  { head: 'Imported', kind: 'number', cell: (progress) => <Imported progress={progress} /> },
  { head: 'Rows', cell: (progress) => <RowsCell progress={progress} /> },
];

const forecastColumn = (now: Date): Column<SupplierProgress> => ({
  head: 'Forecast',
  cell: ({ forecast }) => <ForecastCell forecast={forecast} now={now} />,
});

/** {@link ForecastText} in few words: the state beside it says when a supplier is not ongoing. */
function ForecastCell({ forecast, now }: { forecast: Forecast; now: Date }): VNode {
  const { timeZone } = usePageContext();
  if (forecast.kind === 'not_ongoing') return <>–</>;
  if (forecast.kind !== 'at') return <ForecastText forecast={forecast} now={now} />;
  return (
    <p class="forecast">
      {forecast.of === 'rows' ? 'Rows' : 'Accounts'} by{' '}
      <time dateTime={forecast.at.toISOString()}>{formatMinute(forecast.at, now, timeZone)}</time>
    </p>
  );
}

/** How many of the expected rows are there; where that is not known, how many accounts have any (choice C12). */
function RowsCell({ progress: { supplier, totals, rows } }: { progress: SupplierProgress }): VNode {
  if (!rows) {
    const list = withQuery(ADDRESSES.accounts(supplier.code), { load: 'some' });
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

/** How many of the accounts are imported. */
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

/** What somebody has to look at. */
const BADGES: Column<SupplierProgress> = {
  head: 'Needs attention',
  cell: ({ supplier: { code }, totals, signs }) => {
    const list = (state: string): string => withQuery(ADDRESSES.accounts(code), { state });
    const differing = (state: string): string => withQuery(ADDRESSES.differences(code), { state });
    const { accounts, control } = totals;
    const badges = [
      { text: 'failed', count: accounts.failed, href: list('failed') },
      { text: 'too many rows', count: control.too_many, href: differing('too_many') },
      { text: 'amount differs', count: control.wrong_amount, href: differing('wrong_amount') },
    ];
    return (
      <>
        {badges
          .filter(({ count }) => count > 0)
          .map(({ text, count, href }) => (
            <a key={text} class="badge badge-failed" href={href}>
              {formatCount(count)} {text}
            </a>
          ))}
        {signs.refusals.count > 0 && (
          <a class="badge badge-failed" href={withQuery(ADDRESSES.failures(code), { period: 'hour' })}>
            {boundedText(signs.refusals)} rejected
          </a>
        )}
      </>
    );
  },
};

function NoSupplier({ viewer }: { viewer: Overview['viewer'] }): VNode {
  if (viewer === 'admin')
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
