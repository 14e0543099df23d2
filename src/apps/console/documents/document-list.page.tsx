import type { VNode } from 'preact';
import { shellWord } from '../../../infrastructure/text/shell-word.js';
import type { Run } from '../../../infrastructure/jobs/runs/runs.types.js';
import { ADDRESSES } from '../common/addresses.js';
import { counted, formatCount } from '../common/format.js';
import { accountColumn } from '../layout/account-link.js';
import { DateTime } from '../layout/date-time.js';
import { PostForm } from '../layout/form.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Choices, Pager } from '../layout/pager.js';
import { Statistics } from '../layout/pairs.js';
import { UpdatingPart } from '../layout/section.js';
import { Table, type Column } from '../layout/table.js';
import { boundedText } from '../../../capabilities/conditions/bounded-counts.js';
import { documentsAddress } from '../progress/progress-parts.js';
import type { DocumentState } from '../progress/progress.types.js';
import { cursorParameters } from './document-list-query.js';
import type { DocumentsView, ListedDocument } from './document-list.types.js';

const STATES: Readonly<Record<DocumentState, string>> = {
  missing: 'Missing documents',
  not_looked_up: 'Not looked up yet',
};

/** The documents of a supplier that are missing in the store or were not looked up yet. */
export function documentListPage(view: DocumentsView): Page {
  const { supplier, query, state, documents } = view;
  const { code } = supplier;
  return {
    title: 'Documents',
    ...ofSupplier(supplier, 'documents'),
    body: (
      <>
        {query.busy !== undefined && (
          <p class="notice" role="status">
            Nothing was started: a look-up is already running.
          </p>
        )}
        <Numbers view={view} />
        <Choices
          {...{ label: 'Documents', options: Object.entries(STATES), chosen: state }}
          addressOf={(one) => ADDRESSES.documents(code, { state: one })}
        />
        {documents.rows.length === 0 ? (
          <p class="empty">{documents.isContinued ? 'No more documents.' : EMPTY[state]}</p>
        ) : (
          <>
            <p>
              <a href={ADDRESSES.documentsFile(code, { state })}>Download all as CSV</a>
            </p>
            <Table
              caption={`${STATES[state]}: notes, then statements, in the order in which they were referred to`}
              rows={documents.rows}
              columns={columnsOf(code)}
            />
          </>
        )}
        <Pager
          page={documents}
          addressOf={(after) => ADDRESSES.documents(code, { state, ...(after && cursorParameters(after)) })}
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
function Numbers({ view }: { view: DocumentsView }): VNode {
  const { supplier, run, lookedUpAt } = view;
  const isRunning = run?.outcome === null;
  const address = documentsAddress(supplier.code, view.state);
  return (
    <UpdatingPart id="numbers" address={address} everySeconds={isRunning ? 2 : undefined}>
      <Statistics
        pairs={[
          [STATES.missing, boundedText(view.missingDocuments)],
          [STATES.not_looked_up, boundedText(view.documentsNotLookedUp)],
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
        <p class="notice" role="status">
          <RunText run={run} />
        </p>
      )}
      {view.user.kind === 'operator' && !isRunning && (
        <PostForm action={ADDRESSES.documents(supplier.code)}>
          <p>
            <button>Look up now</button>{' '}
            <span class="muted">
              Same as the command <code>data-import documents check {shellWord(supplier.code)}</code>
            </span>
          </p>
        </PostForm>
      )}
    </UpdatingPart>
  );
}

/** How a look-up ended, and what follows from it. */
const ENDS = {
  complete: ['is complete', ''],
  failed: [
    'has failed',
    'Usually the document store does not answer; the log of the service says why. What was found is kept: look up again for the others.',
  ],
  interrupted: [
    'ended early, because its process ended',
    'What was found is kept: look up again for the others.',
  ],
} as const;

function RunText({ run: { startedAt, done, expected, outcome } }: { run: Run }): VNode {
  if (outcome === null)
    return (
      <>
        A look-up is running since <DateTime at={startedAt} />: {formatCount(done)}
        {expected !== null && ` of ${formatCount(expected)}`} documents so far.
      </>
    );
  const [how, then] = ENDS[outcome === 'lost' ? 'interrupted' : outcome];
  return (
    <>
      The look-up of <DateTime at={startedAt} /> {how}: {counted(done, 'document was', 'documents were')}{' '}
      looked up. {then}
    </>
  );
}

const columnsOf = (code: string): readonly Column<ListedDocument>[] => [
  accountColumn(code),
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
