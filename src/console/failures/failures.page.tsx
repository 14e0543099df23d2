import type { ComponentChildren, VNode } from 'preact';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { counted, formatCount } from '../common/format.js';
import type { RetryRun } from '../../importing/retry-runs.types.js';
import type { OthersRefusals } from '../../sent-requests/refusals.types.js';
import { DateTime } from '../layout/date-time.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Choices } from '../layout/pager.js';
import { Section, UpdatingPart } from '../layout/section.js';
import { Table, type Column } from '../layout/table.js';
import { CauseCard, causeAddress, ENDPOINTS } from './cause-card.js';
import { PERIODS, type Failures, type Period, type Source } from './failures.types.js';

const PERIOD_TEXTS: Readonly<Record<Period, string>> = {
  hour: 'Last hour',
  day: 'Last day',
  '30-days': 'Last 30 days',
};

/** The failures of a supplier by their causes. */
export function failuresPage(failures: Failures): Page {
  const { supplier, period, retried, run, isBusy, refusals, imports } = failures;
  const periods = PERIODS.map((name) => ({
    text: PERIOD_TEXTS[name],
    href: withQuery(ADDRESSES.failures(supplier.code), { period: name }),
    isChosen: name === period,
  }));
  return {
    title: 'Failures',
    ...ofSupplier(supplier, 'failures'),
    body: (
      <>
        {retried !== undefined && (
          <p class="notice" role="status">
            {counted(retried, 'account is', 'accounts are')} pending again. <code>accounts import</code>{' '}
            imports what is pending.
          </p>
        )}
        {isBusy && (
          <p class="notice" role="status">
            Nothing was begun: another retry is under way. Retry this cause when it has ended.
          </p>
        )}
        {run && <Run run={run} code={supplier.code} />}
        <Section id="refused" title="Refused requests">
          <Choices label="Period" options={periods} />
          <CauseList
            failures={failures}
            source="refusals"
            empty="No request was refused in this time. A request that is answered with 400 or 404 appears here within seconds."
            downloadText="All refused requests as CSV"
          >
            {counted(refusals.count, 'request')}
          </CauseList>
          {failures.others.length > 0 && <Others of={failures.others} />}
        </Section>
        <Section id="failed" title="Failed imports">
          <CauseList
            failures={failures}
            source="imports"
            empty="No account is failed. An account whose import fails appears here at once."
            downloadText="All failed accounts as CSV"
            advice="Correct the data and stage it again, or retry an account: then the next import tries it once more. "
          >
            {counted(imports.count, 'account is', 'accounts are')} failed now,
          </CauseList>
        </Section>
      </>
    ),
  };
}

/** How far a retry in the background is. */
function Run({ run, code }: { run: RetryRun; code: string }): VNode {
  const notice = (
    <p class="notice" role="status">
      <RunText run={run} />
    </p>
  );
  if (run.outcome !== null) return <div id="retry">{notice}</div>;
  return (
    <UpdatingPart id="retry" address={ADDRESSES.failures(code)} everySeconds={2}>
      {notice}
    </UpdatingPart>
  );
}

function RunText({ run: { startedAt, pending, outcome } }: { run: RetryRun }): VNode {
  const accounts = counted(pending, 'account is', 'accounts are');
  switch (outcome) {
    case null:
      return (
        <>
          A retry runs since <DateTime at={startedAt} />: {accounts} pending again so far.
        </>
      );
    case 'complete':
      return (
        <>
          {accounts} pending again. <code>accounts import</code> imports what is pending.
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

interface CauseListProps {
  readonly failures: Failures;
  readonly source: Source;
  /** Where there are none. */
  readonly empty: string;
  readonly downloadText: string;
  readonly advice?: string;
  /** How many failures there are. */
  readonly children: ComponentChildren;
}

function CauseList({ failures, source, empty, downloadText, advice = '', children }: CauseListProps): VNode {
  const { supplier, period, mayRetry } = failures;
  const { causes, count, causeCount } = failures[source];
  const { code } = supplier;
  if (count === 0) return <p class="empty">{empty}</p>;
  return (
    <>
      <p>
        {children} with {counted(causeCount, 'cause')}, the commonest first.{' '}
        {causes.length < causeCount && `The first ${formatCount(causes.length)} causes are shown. `}
        {advice}
        <a href={causeAddress(code, `${source}.csv`, { period })}>{downloadText}</a>
      </p>
      {causes.map((cause, index) => (
        <CauseCard {...{ cause, source, code, period, index }} mayRetry={mayRetry && source === 'imports'} />
      ))}
    </>
  );
}

/** Refused requests of other organisations, of which nothing else may be seen (choice A8). */
function Others({ of }: { of: readonly OthersRefusals[] }): VNode {
  return (
    <>
      <h3>Another organisation</h3>
      <Table caption="Refused requests of another organisation" rows={of} columns={OTHERS} />
    </>
  );
}

const OTHERS: readonly Column<OthersRefusals>[] = [
  { head: 'Endpoint', cell: ({ kind }) => <code>{ENDPOINTS[kind]}</code> },
  { head: 'Status', kind: 'number', cell: ({ status }) => status },
  { head: 'Requests', kind: 'number', cell: ({ count }) => formatCount(count) },
  { head: 'First', cell: ({ firstAt }) => <DateTime at={firstAt} /> },
  { head: 'Last', cell: ({ lastAt }) => <DateTime at={lastAt} /> },
];
