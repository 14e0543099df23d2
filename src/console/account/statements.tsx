import type { VNode } from 'preact';
import { STATEMENT } from '../../items/statement.item.js';
import { formatMoney } from '../common/format.js';
import { Day } from '../layout/date-time.js';
import { Table } from '../layout/table.js';
import type { AccountPageView, ViewedStatement } from './account.types.js';
import type { ListPage } from '../common/cursor.js';
import { Days, DocumentLink, Fields, ListPager } from './parts.js';

interface StatementsProps {
  readonly view: AccountPageView;
  readonly page: ListPage<ViewedStatement>;
}

export function Statements({ view, page }: StatementsProps): VNode {
  if (page.rows.length === 0 && !page.isContinued) {
    return (
      <p class="empty">No historical statements yet. They appear here when the supplier has sent them.</p>
    );
  }
  return (
    <>
      <Table
        caption="Statements, newest period first"
        rows={page.rows}
        columns={[
          {
            head: 'Period',
            cell: ({ bill_period_from_date, bill_period_to_date }) => (
              <Days from={bill_period_from_date} to={bill_period_to_date} />
            ),
          },
          { head: 'Issued', cell: ({ issued_date }) => issued_date !== null && <Day day={issued_date} /> },
          { head: 'Number', cell: (statement) => <Identity statement={statement} /> },
          {
            head: 'Gross amount',
            kind: 'number',
            cell: ({ gross_amount }) => gross_amount !== null && formatMoney(gross_amount),
          },
          {
            head: 'Document',
            cell: ({ statement_path: path, document_seen_at }) =>
              path === null ? (
                <span class="muted">none</span>
              ) : (
                <DocumentLink view={view} path={path} isSeen={document_seen_at !== null} />
              ),
          },
        ]}
      />
      <ListPager view={view} list="statements" page={page} of="statements" />
    </>
  );
}

function Identity({ statement }: { statement: ViewedStatement }): VNode {
  const { number, statement_id: id } = statement;
  return (
    <>
      {number}
      {number !== null && <br />}
      <span class="muted">{id}</span>
      <Fields kind={STATEMENT} item={statement} except={SHOWN} />
    </>
  );
}

const SHOWN = [
  ...[
    'statement_id',
    'bill_period_from_date',
    'bill_period_to_date',
    'issued_date',
    'number',
    'gross_amount',
  ],
  'statement_path',
] as (keyof typeof STATEMENT.fields)[];
