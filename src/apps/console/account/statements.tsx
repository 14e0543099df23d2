import type { VNode } from 'preact';
import { STATEMENT } from '../../../ingest/kinds/statement.item.js';
import { formatMoney } from '../common/format.js';
import { Day } from '../layout/date-time.js';
import { Table } from '../layout/table.js';
import type { AccountName, ViewedStatement } from './account.types.js';
import { Days, DocumentLink, Fields } from './parts.js';

export function Statements({ view, rows }: { view: AccountName; rows: readonly ViewedStatement[] }): VNode {
  return (
    <Table
      caption="Statements, newest period first"
      rows={rows}
      columns={[
        {
          head: 'Period',
          cell: ({ bill_period_from_date: from, bill_period_to_date: to }) => <Days from={from} to={to} />,
        },
        { head: 'Issued', cell: ({ issued_date: day }) => day !== null && <Day day={day} /> },
        { head: 'Number', cell: (statement) => <Identity statement={statement} /> },
        {
          head: 'Gross amount',
          kind: 'number',
          cell: ({ gross_amount: amount }) => amount !== null && formatMoney(amount),
        },
        {
          head: 'Document',
          cell: ({ statement_path: path, document_seen_at: seenAt }) =>
            path === null ? 'none' : <DocumentLink view={view} path={path} isSeen={seenAt !== null} />,
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
  ...(['statement_id', 'number', 'statement_path', 'issued_date', 'gross_amount'] as const),
  ...(['bill_period_from_date', 'bill_period_to_date'] as const),
];
