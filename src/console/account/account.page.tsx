import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { PartCells, PartHeads, partsOf } from '../differences/compared-totals.js';
import type { ComparedAccount } from '../differences/differences.types.js';
import { formatCount, formatMoney } from '../common/format.js';
import { Day, Moment } from '../layout/date-time.js';
import { Table } from '../layout/table.js';
import type { Page } from '../layout/page.js';
import type { AccountContents, AccountPageView, AccountSummary, LoadedSums } from './account.types.js';
import { History } from './history.js';
import { Notes } from './notes.js';
import { Details, Section } from './section.js';
import { Instructions, Statements } from './statements.js';
import { Transactions } from './transactions.js';

const STATES: Readonly<Record<AccountSummary['state'], readonly [badge: string, text: string]>> = {
  pending: ['pending', 'Pending'],
  in_progress: ['ongoing', 'Being imported'],
  imported: ['imported', 'Imported'],
  failed: ['failed', 'Import failed'],
  being_erased: ['failed', 'Being erased'],
};

/** One account, as the support site would show it (choice C5). */
export function accountPage(view: AccountPageView): Page {
  const { supplier, number, contents } = view;
  return {
    title: `Account ${number}`,
    above: [
      { text: 'Overview', href: ADDRESSES.overview },
      { text: supplier.name, href: ADDRESSES.supplier(supplier.code) },
    ],
    body: (
      <>
        <Section id="account" title="What the account is">
          <Summary view={view} />
        </Section>
        {contents && <Contents view={view} contents={contents} />}
        <Section id="history" title="History">
          <History view={view} />
        </Section>
      </>
    ),
  };
}

function Summary({ view: { supplier, number, summary, sums, control } }: { view: AccountPageView }): VNode {
  const [badge, text] = STATES[summary.state];
  return (
    <>
      <p>
        <span class={`badge badge-${badge}`}>{text}</span>
      </p>
      <StateNotice summary={summary} />
      <Details
        of={[
          ['Supplier', <a href={ADDRESSES.supplier(supplier.code)}>{supplier.name}</a>],
          ['External account number', number],
          ...(summary.serviceAccountNumber === null
            ? []
            : ([['Platform account number', summary.serviceAccountNumber]] as const)),
          ...(summary.stagedAt ? ([['Staged', <Moment at={summary.stagedAt} />]] as const) : []),
          ...(summary.accountCreatedAt
            ? ([['Opened', <Moment at={summary.accountCreatedAt} />]] as const)
            : []),
          ['Open statement period', <Period summary={summary} />],
        ]}
      />
      {summary.state === 'imported' && <Sums sums={sums} />}
      {control && <Control control={control} />}
    </>
  );
}

function StateNotice({ summary }: { summary: AccountSummary }): VNode | null {
  const { state, failure, failedAt, erasureStartedAt } = summary;
  if (state === 'imported') return null;
  if (state === 'failed') {
    return (
      <p class="notice notice-error">
        {failure} {failedAt && <Moment at={failedAt} />} Nothing can be loaded onto it until its import
        succeeds.
      </p>
    );
  }
  if (state === 'being_erased') {
    return (
      <p class="notice notice-warning">
        Everything of this account is being removed
        {erasureStartedAt && (
          <>
            {' '}
            since <Moment at={erasureStartedAt} />
          </>
        )}
        ; it is not shown any more.
      </p>
    );
  }
  return (
    <p class="notice">
      {state === 'pending'
        ? 'The account waits to be imported. Until then nothing can be loaded onto it.'
        : 'The account is being imported. Nothing can be loaded onto it until that is done.'}
    </p>
  );
}

function Period({
  summary: { openStatementFrom: from, openStatementTo: to },
}: {
  summary: AccountSummary;
}): VNode {
  if (from === null && to === null) return <>begins with the day of the import</>;
  return (
    <>
      {from === null ? 'the day of the import' : <Day day={from} />} to{' '}
      {to === null ? 'today' : <Day day={to} />}
    </>
  );
}

function Sums({ sums }: { sums: LoadedSums }): VNode {
  const counts: readonly (readonly [string, number])[] = [
    ['Import requests', sums.requests],
    ['Notes', sums.notes],
    ['Transactions', sums.transactions],
    ['Statements', sums.statements],
    ['Payment instructions', sums.paymentInstructions],
  ];
  return (
    <>
      <dl class="figures">
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
        {sums.amount !== null && (
          <div>
            <dt>Sum of the transactions</dt>
            <dd>{formatMoney(sums.amount)}</dd>
          </div>
        )}
      </dl>
      {sums.lastRequestAt && (
        <p class="muted">
          Last loaded <Moment at={sums.lastRequestAt} />
        </p>
      )}
    </>
  );
}

/** What the account must hold, and what its import requests have stored. */
function Control({ control }: { control: ComparedAccount }): VNode {
  return (
    <Table caption="Control totals">
      <thead>
        <tr>
          <PartHeads />
        </tr>
      </thead>
      <tbody>
        {partsOf(control).map((part) => (
          <tr key={part.name}>
            <PartCells part={part} />
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Contents({ view, contents }: { view: AccountPageView; contents: AccountContents }): VNode {
  const { pinnedNotes, statements, instructions, otherNotes } = contents;
  return (
    <>
      <Section id="pinned" title="Pinned notes">
        {isEmpty(pinnedNotes) && <p class="empty">No note is pinned to this account now.</p>}
        <Notes view={view} list="pinned" page={pinnedNotes} />
      </Section>
      <Section id="transactions" title="Transactions">
        <Transactions view={view} contents={contents} />
      </Section>
      <Section id="statements" title="Historical statements">
        <Statements view={view} page={statements} />
      </Section>
      <Section id="instructions" title="Payment instructions">
        <Instructions view={view} page={instructions} />
      </Section>
      <Section id="notes" title="Other notes">
        {isEmpty(otherNotes) && (
          <p class="empty">No other notes. They appear here when the supplier has sent them.</p>
        )}
        <Notes view={view} list="notes" page={otherNotes} />
      </Section>
    </>
  );
}

function isEmpty(page: AccountContents['pinnedNotes']): boolean {
  return page.rows.length === 0 && !page.isContinued;
}
