import type { VNode } from 'preact';
import { countRows } from '../../../ingest/kinds/items.js';
import { ADDRESSES } from '../common/addresses.js';
import { formatCount, formatMoney } from '../common/format.js';
import { differenceText, PART_COLUMNS, partsOf, wrongParts } from '../differences/compared-totals.js';
import type { ComparedAccount } from '../differences/differences.types.js';
import { DateTime, Day } from '../layout/date-time.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Details, Statistics } from '../layout/pairs.js';
import { Section } from '../layout/section.js';
import { Table } from '../layout/table.js';
import { Timeline } from '../layout/timeline.js';
import type { AccountContents, AccountPageView, AccountSummary, LoadedSums } from './account.types.js';
import { Missing } from './missing-rows.js';
import { Instruction } from './instructions.js';
import { Notes } from './notes.js';
import { ListPager, ListSection } from './parts.js';
import { Statements } from './statements.js';
import { Transactions } from './transactions.js';

/** The badge and the name of a state, and what it means for the account. */
const STATES = {
  pending: [
    'pending',
    'Pending',
    'The account waits to be imported. Until then nothing can be loaded onto it.',
  ],
  in_progress: [
    'ongoing',
    'In progress',
    'The account is being imported. Nothing can be loaded onto it until that is done.',
  ],
  imported: ['imported', 'Imported', ''],
  failed: ['failed', 'Failed', 'Nothing can be loaded onto it until its import succeeds.'],
  being_erased: [
    'failed',
    'Being erased',
    'All data of this account is being erased. It is no longer shown.',
  ],
} as const satisfies Readonly<
  Record<AccountSummary['state'], readonly [badge: string, name: string, text: string]>
>;

/** One account, as a support site would show it (choice C5). */
export function accountPage(view: AccountPageView): Page {
  const { supplier, accountNumber, contents } = view;
  return {
    title: `Account ${accountNumber}`,
    ...ofSupplier(supplier, 'accounts'),
    body: (
      <>
        <Missing view={view} />
        {view.control && <WrongTotals control={view.control} />}
        <Section id="account" kind="part" title="Account details">
          <Summary view={view} />
        </Section>
        {contents && <Contents view={view} contents={contents} />}
        <Section id="history" kind="part" title="History">
          <Timeline events={view.history.rows} />
          <ListPager view={view} list="history" page={view.history} listed="events" />
        </Section>
      </>
    ),
  };
}

function Summary({ view }: { view: AccountPageView }): VNode {
  const { supplier, accountNumber, summary, sums, lastRequestAt, control } = view;
  const { state, failure, failedAt, erasureStartedAt } = summary;
  const [badge, name, text] = STATES[state];
  const since = erasureStartedAt ?? failedAt;
  return (
    <>
      <p>
        <span class={`badge badge-${badge}`}>{name}</span>
      </p>
      {text !== '' && (
        <p class={badge === 'failed' ? 'notice notice-error' : 'notice'}>
          {failure}{' '}
          {since && (
            <>
              (<DateTime at={since} />)
            </>
          )}{' '}
          {text}{' '}
          {state === 'failed' && (
            <>
              What to do is under <a href={ADDRESSES.failures(supplier.code)}>Failures</a>.
            </>
          )}
        </p>
      )}
      <Details
        pairs={[
          ['Supplier', <a href={ADDRESSES.supplier(supplier.code)}>{supplier.name}</a>],
          ['External account number', accountNumber],
          ['Platform account number', summary.serviceAccountNumber],
          ['Staged', summary.stagedAt && <DateTime at={summary.stagedAt} />],
          ['Imported', summary.accountCreatedAt && <DateTime at={summary.accountCreatedAt} />],
          ['Open statement period', <Period summary={summary} />],
          ['Last request', lastRequestAt && <DateTime at={lastRequestAt} />],
        ]}
      />
      {state === 'imported' && <Sums {...sums} />}
      {control && <Table caption="Control totals" rows={partsOf(control)} columns={PART_COLUMNS} />}
    </>
  );
}

/** The control totals that an account exceeds, or an amount that differs, and what to do about it. */
function WrongTotals({ control }: { control: ComparedAccount }): VNode | null {
  const parts = wrongParts(control);
  if (parts.length === 0) return null;
  return (
    <p class="notice notice-error" id="wrong">
      <strong>{parts.map(differenceText).join('; ')}</strong>. The supplier says whether the rows or the
      control totals are right; then operators undo the wrong requests (<code>data-import imports undo</code>)
      or set the totals (<code>data-import accounts set-controls</code>).
    </p>
  );
}

function Period({ summary }: { summary: AccountSummary }): VNode {
  const { openStatementFrom: from, openStatementTo: to } = summary;
  if (!from && !to) return <>starts on the day of the import</>;
  return (
    <>
      {from ? <Day day={from} /> : 'the day of the import'} to {to ? <Day day={to} /> : 'today'}
    </>
  );
}

function Sums({ requests, stored, pinnedNotes }: LoadedSums): VNode | null {
  const counts = countRows({ ...stored, notes: stored.notes + pinnedNotes });
  const pairs = counts.map(([name, count]) => [name, formatCount(count)] as const);
  const sum = ['Control sum', formatMoney(stored.amount)] as const;
  return <Statistics pairs={[['Requests', formatCount(requests)], ...pairs, sum]} />;
}

function Contents({ view, contents }: { view: AccountPageView; contents: AccountContents }): VNode {
  const { pinnedNotes, statements, instructions, otherNotes } = contents;
  return (
    <>
      <ListSection
        {...{ view, list: 'pinned', page: pinnedNotes, title: 'Pinned notes', listed: 'pinned notes' }}
        empty="No note is pinned to this account now."
      >
        {(notes) => <Notes view={view} notes={notes} kind="note note-pinned" />}
      </ListSection>
      <Section id="transactions" kind="part" title="Transactions">
        <Transactions view={view} contents={contents} />
      </Section>
      <ListSection
        {...{ view, list: 'statements', page: statements, title: 'Historical statements' }}
        listed="statements"
        empty="No historical statements are stored."
      >
        {(rows) => <Statements view={view} rows={rows} />}
      </ListSection>
      <ListSection
        {...{ view, list: 'instructions', page: instructions, listed: 'payment instructions' }}
        title="Payment instructions"
        empty="No payment instructions are stored."
      >
        {(rows) => rows.map((instruction) => <Instruction instruction={instruction} />)}
      </ListSection>
      <ListSection
        {...{ view, list: 'notes', page: otherNotes, title: 'Other notes', listed: 'notes' }}
        empty="No other notes are stored."
      >
        {(notes) => <Notes view={view} notes={notes} kind="note" />}
      </ListSection>
    </>
  );
}
