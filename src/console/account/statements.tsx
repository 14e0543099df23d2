import type { VNode } from 'preact';
import { formatMoney } from '../common/format.js';
import { Day, Moment } from '../layout/date-time.js';
import { Table } from '../layout/table.js';
import type { AccountPageView, ListPage, ViewedInstruction, ViewedStatement } from './account.types.js';
import { Details, DocumentLink, Pager } from './section.js';

export function Statements({
  view,
  page,
}: {
  view: AccountPageView;
  page: ListPage<ViewedStatement>;
}): VNode {
  if (page.rows.length === 0 && !page.isContinued) {
    return (
      <p class="empty">No historical statements yet. They appear here when the supplier has sent them.</p>
    );
  }
  return (
    <>
      <Table caption="Statements, newest period first">
        <thead>
          <tr>
            <th scope="col">Period</th>
            <th scope="col">Issued</th>
            <th scope="col">Number</th>
            <th scope="col" class="number">
              Gross amount
            </th>
            <th scope="col">Document</th>
          </tr>
        </thead>
        <tbody>
          {page.rows.map((statement) => (
            <tr key={statement.id}>
              <td>
                <Day day={statement.from} /> to <Day day={statement.to} />
              </td>
              <td>{statement.issuedDate !== null && <Day day={statement.issuedDate} />}</td>
              <td>
                {statement.number}
                {statement.number !== null && <br />}
                <span class="muted">{statement.id}</span>
              </td>
              <td class="number">{statement.grossAmount !== null && formatMoney(statement.grossAmount)}</td>
              <td>
                {statement.document ? (
                  <DocumentLink view={view} document={statement.document} />
                ) : (
                  <span class="muted">none</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Pager view={view} list="statements" page={page} of="statements" />
    </>
  );
}

interface InstructionsOptions {
  readonly view: AccountPageView;
  readonly page: ListPage<ViewedInstruction>;
}

export function Instructions({ view, page }: InstructionsOptions): VNode {
  if (page.rows.length === 0 && !page.isContinued) {
    return <p class="empty">No payment instruction yet. It appears here when the supplier has sent it.</p>;
  }
  return (
    <>
      {page.rows.map((instruction) => (
        <article class="instruction" key={`${instruction.vendor} ${instruction.reference}`}>
          <h3>
            {instruction.vendor} {instruction.type}
          </h3>
          <Details
            of={[
              ['Reference', instruction.reference],
              ['Verified', <Moment at={instruction.verifiedAt} />],
              ...instruction.details.map(
                ([name, value]) => [`Vendor: ${name.replaceAll('_', ' ')}`, value] as const,
              ),
            ]}
          />
        </article>
      ))}
      <Pager view={view} list="instructions" page={page} of="payment instructions" />
    </>
  );
}
