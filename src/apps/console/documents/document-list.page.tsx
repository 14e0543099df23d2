import type { VNode } from 'preact';
import { boundedText } from '../../../infrastructure/text/bounded-counts.js';
import type { Run } from '../../../infrastructure/jobs/runs/runs.types.js';
import { ADDRESSES } from '../common/addresses.js';
import { counted } from '../common/format.js';
import { accountColumn } from '../layout/account-link.js';
import { DateTime } from '../layout/date-time.js';
import { PostForm } from '../layout/form.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { List } from '../layout/list.js';
import type { ListView } from '../layout/list.types.js';
import { Choices } from '../layout/pager.js';
import { Statistics } from '../layout/pairs.js';
import { RunNotice } from '../layout/run-notice.js';
import { UpdatingPart } from '../layout/section.js';
import type { Column } from '../layout/table.js';
import type { DocumentState } from '../progress/progress.types.js';
import { COUNTED_MAX, type DocumentFilter, type ListedDocument } from './document-list.types.js';

type DocumentsView = ListView<ListedDocument, DocumentFilter>;

const STATES: Readonly<Record<DocumentState, string>> = {
  missing: 'Missing documents',
  not_looked_up: 'Not looked up yet',
};

/** The documents of a supplier that are missing in the store or were not looked up yet. */
export function documentListPage(view: DocumentsView, run: Run | undefined): Page {
  const { supplier, filter, list } = view;
  const { code } = supplier;
  const { state } = filter;
  return {
    title: 'Documents',
    ...ofSupplier(supplier, 'documents'),
    body: (
      <>
        <Numbers view={view} run={run} />
        <Choices
          {...{ label: 'Documents', options: Object.entries(STATES), chosen: state }}
          addressOf={(one) => ADDRESSES.documents(code, { state: one })}
        />
        <List
          list={list}
          listed="documents"
          caption={`${STATES[state]}: notes, then statements, in the order in which they were referred to`}
          columns={[accountColumn(code), ...COLUMNS]}
          addressOf={(after) => ADDRESSES.documents(code, { state, after })}
          file={ADDRESSES.documentsFile(code, { state })}
          empty={EMPTY[state]}
        />
      </>
    ),
  };
}

const EMPTY: Readonly<Record<DocumentState, string>> = {
  missing: 'No document that was looked up is missing.',
  not_looked_up: 'Every document that notes and statements refer to was looked up.',
};

/** The two numbers, and the look-up that changes them. */
function Numbers({ view, run }: { view: DocumentsView; run: Run | undefined }): VNode {
  const { supplier, filter } = view;
  const { missing, notLookedUp, lookedUpAt } = filter.counts;
  const isRunning = run?.outcome === null;
  const address = ADDRESSES.documents(supplier.code, { state: filter.state });
  return (
    <UpdatingPart id="numbers" address={address} everySeconds={isRunning ? 2 : undefined}>
      <Statistics
        pairs={[
          [STATES.missing, boundedText(missing, COUNTED_MAX)],
          [STATES.not_looked_up, boundedText(notLookedUp, COUNTED_MAX)],
        ]}
      />
      <p>
        {lookedUpAt ? (
          <>
            The last look-up of all documents started on <DateTime at={lookedUpAt} />. Missing documents were
            not found in the document store. Documents not looked up yet were referred to since then.
          </>
        ) : (
          'The documents were not looked up yet.'
        )}{' '}
        {supplier.documentCheck === 'reject' &&
          'A request that refers to a missing document is rejected. Its documents are looked up at once.'}
      </p>
      {run && (
        <RunNotice
          run={run}
          name="look-up"
          done={counted(run.done, 'document was looked up', 'documents were looked up')}
          early="What was found is kept: look up again for the others. When the document store does not answer, the log of the service says so."
        />
      )}
      {view.user.kind === 'operator' && !isRunning && (
        <PostForm action={ADDRESSES.documents(supplier.code)}>
          <p>
            <button>Look up now</button>
          </p>
        </PostForm>
      )}
    </UpdatingPart>
  );
}

const COLUMNS: readonly Column<ListedDocument>[] = [
  { head: 'Kind', cell: ({ kind }) => kind },
  {
    head: 'Path',
    kind: 'path',
    cell: ({ path, isElsewhere }) => (
      <>
        {path}
        {isElsewhere && <span class="muted"> in another document store</span>}
      </>
    ),
  },
  { head: 'Referred to', cell: ({ namedAt }) => <DateTime at={namedAt} /> },
];
