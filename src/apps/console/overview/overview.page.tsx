import type { VNode } from 'preact';
import { causeText, conditionText, STANDINGS } from '../../../capabilities/conditions/conditions.js';
import type { Forecast } from '../../../capabilities/totals/forecast.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { counted, formatCount, formatMinute } from '../common/format.js';
import { shortId } from '../common/key-names.js';
import { DateTime } from '../layout/date-time.js';
import { usePageContext } from '../layout/page-context.js';
import type { Page } from '../layout/page.js';
import { Section, UpdatingPart } from '../layout/section.js';
import { Table, type Column } from '../layout/table.js';
import { ConditionLink, StandingBadge } from '../progress/conditions-list.js';
import { chartAddress, HistorySection } from '../progress/history-section.js';
import { CutOverText, ForecastText, RowsBar, StatusBadge } from '../progress/progress-parts.js';
import type { SupplierProgress } from '../progress/progress.types.js';
import type { Overview } from './overview.service.js';

export function overviewPage(overview: Overview): Page {
  const { asOf, suppliers, archived, keys, history } = overview;
  const isEmpty = suppliers.length === 0;
  const complete = suppliers.filter(({ supplier }) => supplier.status === 'complete');
  const others = suppliers.filter(({ supplier }) => supplier.status !== 'complete');
  return {
    title: 'Overview',
    place: 'overview',
    body: (
      <UpdatingPart id="overview" address={chartAddress(ADDRESSES.overview, history.span)} everySeconds={10}>
        {keys.length > 0 && (
          <Section id="keys" title="Keys that expire">
            <ul class="attention">
              {keys.map(({ id, label, organisation, expiresAt }) => (
                <li class="attention-problem">
                  The key “{label}” ({shortId(id)}) of {organisation} expires{' '}
                  <DateTime at={expiresAt} relative />.
                </li>
              ))}
            </ul>
          </Section>
        )}
        <Section id="suppliers" title="Suppliers">
          {isEmpty && archived.length === 0 && <NoSupplier />}
          {others.length > 0 && (
            <>
              <p class="facts">
                {STANDINGS.map((wanted) => (
                  <span>
                    <StandingBadge standing={wanted} />{' '}
                    {formatCount(others.filter(({ standing }) => standing === wanted).length)}
                  </span>
                ))}
              </p>
              <p class="muted as-of">
                <Sums suppliers={others} /> As of <DateTime at={asOf} relative />
              </p>
              <Table {...SUPPLIERS} caption="Suppliers that are not complete" rows={others} />
            </>
          )}
          {complete.length > 0 && (
            <details id="complete">
              <summary>{`${formatCount(complete.length)} complete`}</summary>
              <Table {...SUPPLIERS} caption="Complete suppliers" rows={complete} />
            </details>
          )}
          {archived.length > 0 && <Archived suppliers={archived} />}
        </Section>
        {!isEmpty && <HistorySection history={history} address={ADDRESSES.overview} />}
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

const COLUMNS: readonly Column<SupplierProgress>[] = [
  { head: 'Supplier', kind: 'row', cell: SupplierName },
  {
    head: 'State',
    cell: ({ standing, supplier: { status } }) => (
      <>
        <StandingBadge standing={standing} /> {status !== 'ongoing' && <StatusBadge status={status} />}
      </>
    ),
  },
  { head: 'Needs attention', cell: (progress) => <NeedsAttention progress={progress} /> },
  { head: 'Imported', kind: 'number', cell: (progress) => <Imported progress={progress} /> },
  { head: 'Rows', cell: (progress) => <RowsCell progress={progress} /> },
  {
    head: 'Forecast',
    cell: (progress) => (
      <>
        <ForecastCell forecast={progress.forecast} /> <CutOverText progress={progress} />
      </>
    ),
  },
];

/** One row for each supplier. */
const SUPPLIERS = { kind: 'suppliers', columns: COLUMNS };

/**
 * Every problem, the first with its most frequent cause, and a link to the conditions that wait; without a problem, every condition.
 */
function NeedsAttention({ progress: { supplier, conditions } }: { progress: SupplierProgress }): VNode {
  const named = conditions.filter(({ state }) => state === conditions[0]?.state);
  const others = conditions.slice(named.length);
  if (named.length === 0) return <>–</>;
  return (
    <>
      {named.map(({ words, page, cause }, index) => (
        <>
          {index > 0 && '; '}
          <ConditionLink code={supplier.code} {...{ words, page }} />
          {index === 0 && cause && causeText(cause)}
        </>
      ))}
      {others.length > 0 && (
        <>
          {'; '}
          <a href={ADDRESSES.supplier(supplier.code)} title={others.map(conditionText).join('; ')}>
            {others.length} waiting
          </a>
        </>
      )}
    </>
  );
}

/** The totals of all suppliers. */
function Sums({ suppliers }: Pick<Overview, 'suppliers'>): VNode {
  const sum = (valueOf: (progress: SupplierProgress) => number): number =>
    suppliers.reduce((total, progress) => total + valueOf(progress), 0);
  const accounts = sum(({ totals }) => allOf(totals.accounts));
  const expected = sum(({ rows }) => rows?.expected ?? 0);
  return (
    <>
      Imported {formatCount(sum(({ totals }) => totals.accounts.imported))} of {counted(accounts, 'account')}
      {expected > 0 &&
        `, stored ${formatCount(sum(({ rows }) => rows?.stored ?? 0))} of ${counted(expected, 'expected row')}`}
      .
    </>
  );
}

/** A short form of {@link ForecastText}. The status beside it says when a supplier is not ongoing. */
function ForecastCell({ forecast }: { forecast: Forecast }): VNode {
  const { timeZone } = usePageContext();
  if (forecast.kind === 'not_ongoing') return <>–</>;
  if (forecast.kind !== 'at') return <ForecastText forecast={forecast} />;
  return (
    <p class="forecast">
      {forecast.of === 'rows' ? 'Rows' : 'Accounts'} by{' '}
      <time dateTime={forecast.at.toISOString()}>{formatMinute(forecast.at, timeZone)}</time>.
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
  const list = ADDRESSES.accounts(supplier.code);
  return (
    <>
      <a href={withQuery(list, { state: 'imported' })}>{formatCount(totals.accounts.imported)}</a>
      {' of '}
      <a href={list}>{formatCount(allOf(totals.accounts))}</a>
    </>
  );
}

/** The accounts in any state. */
function allOf(accounts: SupplierProgress['totals']['accounts']): number {
  return Object.values(accounts).reduce((sum, count) => sum + count, 0);
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
