import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { capitalised, counted, formatCount, formatShare } from '../common/format.js';
import type { OthersRefusals } from '../../../capabilities/request-log/requests/refusals.types.js';
import { DateTime } from '../layout/date-time.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Choices } from '../layout/pager.js';
import { RunNotice } from '../layout/run-notice.js';
import { Section, UpdatingPart } from '../layout/section.js';
import { Table, type Column } from '../layout/table.js';
import { causeColumns, ENDPOINTS, failedAccounts } from './cause-parts.js';
import { PERIODS, type Failures } from './failures.types.js';

const PERIOD_NAMES = Object.entries(PERIODS).map(([name, { words }]) => [name, capitalised(words)] as const);

/** The failures of a supplier, grouped by cause. */
export function failuresPage(failures: Failures): Page {
  const { supplier, period, run, causes, others, counts } = failures;
  return {
    title: 'Failures',
    ...ofSupplier(supplier, 'failures'),
    body: (
      <>
        {run && (
          <UpdatingPart
            id="retry"
            address={ADDRESSES.failures(supplier.code)}
            everySeconds={run.outcome === null ? 2 : undefined}
          >
            <RunNotice
              run={run}
              name="retry"
              done={counted(run.done, 'account is pending again', 'accounts are pending again')}
              complete={
                <>
                  <code>data-import accounts import</code> imports what is pending.
                </>
              }
              early="Retry the cause for the others."
            />
          </UpdatingPart>
        )}
        <Choices
          {...{ label: 'Period', options: PERIOD_NAMES, chosen: period }}
          addressOf={(name) => ADDRESSES.failures(supplier.code, { period: name })}
        />
        <Summary failures={failures} />
        {causes.length > 0 && (
          <Table
            caption="Causes, most common first"
            kind="causes"
            rows={causes}
            columns={causeColumns(failures, ({ count }) =>
              formatShare(count, counts.refusals + counts.imports),
            )}
          />
        )}
        {others.length > 0 && (
          <Section id="others" title="Another organisation">
            <Table caption="Rejected requests of another organisation" rows={others} columns={OTHERS} />
          </Section>
        )}
      </>
    ),
  };
}

/** The number of failures, and the files with all of them. */
function Summary({ failures }: { failures: Failures }): VNode {
  const { supplier, period, causes, causeCount, counts } = failures;
  const { code } = supplier;
  if (causes.length === 0)
    return (
      <p class="empty">
        No request was rejected in the {PERIODS[period].words}, and no account has failed. Requests that are
        answered with 400 or 404, and accounts whose import fails, appear here within seconds.
      </p>
    );
  return (
    <p>
      Rejected requests in the {PERIODS[period].words}: {formatCount(counts.refusals)}
      {counts.refusals > 0 && (
        <>
          {' '}
          (<a href={ADDRESSES.refusalsFile(code, { period })}>all as CSV</a>)
        </>
      )}
      . Failed accounts: {formatCount(counts.imports)}
      {counts.imports > 0 && (
        <>
          {' '}
          (<a href={failedAccounts(code, undefined)}>list</a>,{' '}
          <a href={failedAccounts(code, undefined, '.csv')}>all as CSV</a>)
        </>
      )}
      .
      {causes.length < causeCount &&
        ` The first ${formatCount(causes.length)} of ${formatCount(causeCount)} causes are shown.`}
    </p>
  );
}

/** Nothing else may be seen of refused requests of other organisations (choice A8). */
const OTHERS: readonly Column<OthersRefusals>[] = [
  { head: 'Endpoint', cell: ({ kind }) => <code>{ENDPOINTS[kind]}</code> },
  { head: 'Status', kind: 'number', cell: ({ status }) => status },
  { head: 'Requests', kind: 'number', cell: ({ count }) => formatCount(count) },
  { head: 'First', cell: ({ firstAt }) => <DateTime at={firstAt} relative /> },
  { head: 'Last', cell: ({ lastAt }) => <DateTime at={lastAt} relative /> },
];
