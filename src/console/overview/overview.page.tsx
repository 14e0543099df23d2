import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { DateTime } from '../layout/date-time.js';
import type { Page } from '../layout/page.js';
import { Section, UpdatingPart } from '../layout/section.js';
import { AccountsBar } from '../progress/accounts-bar.js';
import { AttentionList } from '../progress/attention-list.js';
import { HistorySection, spanAddress } from '../progress/history-section.js';
import { ControlText, ForecastText, LoadedItems, RowsText, StatusBadge } from '../progress/progress-parts.js';
import type { SupplierProgress } from '../progress/progress.types.js';
import type { Overview } from './overview.types.js';

export function overviewPage(overview: Overview): Page {
  const { asOf, now, suppliers, attention, history } = overview;
  const isEmpty = suppliers.length === 0;
  return {
    title: 'Overview',
    place: 'overview',
    body: (
      <UpdatingPart id="overview" address={spanAddress(ADDRESSES.overview, history.span)} everySeconds={10}>
        {!isEmpty && (
          <p class="muted as-of">
            As of <DateTime at={asOf} />
          </p>
        )}
        <Section id="attention" title="Needs attention">
          <AttentionList attention={attention} />
        </Section>
        <Section id="suppliers" title="Suppliers">
          {isEmpty && <NoSupplier viewer={overview.viewer} />}
          <div class="cards">
            {suppliers.map((progress) => (
              <SupplierCard key={progress.supplier.code} progress={progress} now={now} />
            ))}
          </div>
        </Section>
        {!isEmpty && <HistorySection history={history} address={ADDRESSES.overview} />}
      </UpdatingPart>
    ),
  };
}

function SupplierCard({ progress, now }: { progress: SupplierProgress; now: Date }): VNode {
  const { supplier, totals, forecast } = progress;
  return (
    <section class="card">
      <h3>
        <a href={ADDRESSES.supplier(supplier.code)}>{supplier.name}</a>{' '}
        <StatusBadge status={supplier.status} />
      </h3>
      <p class="muted code">{supplier.code}</p>
      <AccountsBar code={supplier.code} accounts={totals.accounts} />
      <ForecastText forecast={forecast} now={now} />
      <RowsText progress={progress} />
      <LoadedItems progress={progress} />
      <ControlText code={supplier.code} control={totals.control} />
    </section>
  );
}

function NoSupplier({ viewer }: { viewer: Overview['viewer'] }): VNode {
  if (viewer === 'admin')
    return (
      <p class="empty">
        No import supplier is granted to your organisation. Ask the operators of the platform for one.
      </p>
    );
  return (
    <p class="empty">
      There is no import supplier yet. The command <code>supplier create CODE --name NAME</code> makes one.
    </p>
  );
}
