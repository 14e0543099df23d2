import type { VNode } from 'preact';
import { STATEMENT } from '../../../ingest/kinds/statement.item.js';
import { formatMoney } from '../common/format.js';
import { Day } from '../layout/date-time.js';
import { Table } from '../layout/table.js';
import type { AccountPageView, ViewedStatement } from './account.types.js';
import { Days, DocumentLink, Fields } from './parts.js';

interface StatementsProps {
  readonly view: AccountPageView;
  readonly statements: readonly ViewedStatement[];
}

export function Statements({ view, statements }: StatementsProps): VNode {
  return (
    <Table
      caption="Statements, newest period first"
      rows={statements}
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
