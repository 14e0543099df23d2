import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { capitalised, counted, formatCount, formatShare } from '../common/format.js';
import type { Run as BackgroundRun } from '../../../infrastructure/jobs/runs/runs.types.js';
import type { OthersRefusals } from '../../../capabilities/request-log/requests/refusals.types.js';
import { usePageContext } from '../layout/page-context.js';
import { DateTime } from '../layout/date-time.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Choices } from '../layout/pager.js';
import { Section, UpdatingPart } from '../layout/section.js';
import { Table, type Column } from '../layout/table.js';
import {
  causeAddress,
  CauseFacts,
  CauseTitle,
  ENDPOINTS,
  failedAccounts,
  isFailing,
  refusedRequests,
  Remedy,
  Trend,
} from './cause-parts.js';
import { PERIODS, type Cause, type Failures } from './failures.types.js';

const PERIOD_NAMES = Object.entries(PERIODS).map(([name, { words }]) => [name, capitalised(words)] as const);

/** The failures of a supplier, grouped by cause. */
export function failuresPage(failures: Failures): Page {
  const { supplier, query, period, run, causes, others } = failures;
  return {
    title: 'Failures',
    ...ofSupplier(supplier, 'failures'),
    body: (
      <>
        {query.busy !== undefined && (
          <p class="notice" role="status">
            Nothing was started: another retry is already running. Retry this cause when it has ended.
          </p>
        )}
        {run && <Run run={run} code={supplier.code} />}
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
            columns={columnsOf(failures)}
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
  const { supplier, period, causes, causeCount, counts, others } = failures;
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
          (<a href={refusedRequests(code, period)}>all as CSV</a>)
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
      {others.length > 0 && (
        <>
          {' '}
          <a href="#others">
            Another organisation: {formatCount(others.reduce((sum, { count }) => sum + count, 0))}
          </a>
          .
        </>
      )}
    </p>
  );
}

function columnsOf({ user, supplier, period, counts }: Failures): Column<Cause>[] {
  const { code } = supplier;
  return [
    {
      head: 'Cause',
      kind: 'row',
      cell: (cause) => (
        <>
          <a href={causeAddress(code, cause, period)}>
            <CauseTitle cause={cause} />
          </a>
          <div class="muted">
            <CauseFacts cause={cause} />
          </div>
        </>
      ),
    },
    {
      head: 'Count',
      kind: 'number',
      cell: ({ source, count }) => counted(count, source === 'refusals' ? 'request' : 'account'),
    },
    {
      head: 'Share',
      kind: 'number',
      cell: ({ count }) => formatShare(count, counts.refusals + counts.imports),
    },
    {
      head: 'First and last seen',
      cell: ({ firstAt, lastAt }) => (
        <>
          <DateTime at={firstAt} relative /> <DateTime at={lastAt} relative />
        </>
      ),
    },
    { head: 'Trend', cell: (cause) => <Trend cause={cause} period={period} /> },
    {
      head: 'Still failing',
      cell: (cause) => <Failing cause={cause} />,
    },
    { head: 'What to do', cell: (cause) => <Remedy cause={cause} user={user} /> },
  ];
}

/** Whether a cause is still failing. */
export function Failing({ cause }: { cause: Cause }): VNode {
  return isFailing(cause, usePageContext().now) ? <strong class="wrong">Yes</strong> : <>No</>;
}

/** The progress of a retry in the background. */
function Run({ run, code }: { run: BackgroundRun; code: string }): VNode {
  const everySeconds = run.outcome === null ? 2 : undefined;
  return (
    <UpdatingPart id="retry" address={ADDRESSES.failures(code)} everySeconds={everySeconds}>
      <p class="notice" role="status">
        <RunText run={run} />
      </p>
    </UpdatingPart>
  );
}

function RunText({ run: { startedAt, done, outcome } }: { run: BackgroundRun }): VNode {
  const accounts = counted(done, 'account is', 'accounts are');
  switch (outcome) {
    case null:
      return (
        <>
          A retry is running since <DateTime at={startedAt} />: {accounts} pending again so far.
        </>
      );
    case 'complete':
      return (
        <>
          {accounts} pending again. <code>data-import accounts import</code> imports what is pending.
        </>
      );
    case 'interrupted':
    case 'failed':
    case 'lost':
      return (
        <>
          The retry of <DateTime at={startedAt} /> ended early: {accounts} pending again. Retry the cause for
          the others.
        </>
      );
  }
}

/** Nothing else may be seen of refused requests of other organisations (choice A8). */
const OTHERS: readonly Column<OthersRefusals>[] = [
  { head: 'Endpoint', cell: ({ kind }) => <code>{ENDPOINTS[kind]}</code> },
  { head: 'Status', kind: 'number', cell: ({ status }) => status },
  { head: 'Requests', kind: 'number', cell: ({ count }) => formatCount(count) },
  { head: 'First', cell: ({ firstAt }) => <DateTime at={firstAt} relative /> },
  { head: 'Last', cell: ({ lastAt }) => <DateTime at={lastAt} relative /> },
];
