import type { VNode } from 'preact';
import { TRANSACTION } from '../../../ingest/kinds/transaction.item.js';
import { TRANSACTION_TYPES } from '../../../transactions/transactions.dto.js';
import { ADDRESSES } from '../common/addresses.js';
import { counted, formatCount, formatMoney } from '../common/format.js';
import { Day } from '../layout/date-time.js';
import { Details } from '../layout/pairs.js';
import { Filters } from '../layout/filters.js';
import { Table } from '../layout/table.js';
import { accountAddress, transactionAddress } from './account-addresses.js';
import type { AccountContents, AccountPageView, TypeTotal, ViewedTransaction } from './account.types.js';
import { Fields, ListPager } from './parts.js';

export function Transactions({
  view,
  contents,
}: {
  view: AccountPageView;
  contents: AccountContents;
}): VNode {
  const { typeTotals, transactions } = contents;
  if (typeTotals.every(({ count }) => count === 0)) {
    return <p class="empty">No transactions are stored.</p>;
  }
  return (
    <>
      <Totals view={view} totals={typeTotals} />
      <Filter view={view} />
      {transactions.rows.length === 0 ? (
        <p class="empty">
          No transaction of this account matches the filter. Change the filter, or show all.
        </p>
      ) : (
        <List view={view} rows={transactions.rows} />
      )}
      <ListPager view={view} list="transactions" page={transactions} listed="transactions" />
    </>
  );
}

function Totals({ view, totals }: { view: AccountPageView; totals: readonly TypeTotal[] }): VNode {
  return (
    <Table
      caption="Totals by type"
      kind="totals"
      rows={totals}
      attributesOf={({ type }) => ({ class: type === null ? 'sum' : undefined })}
      columns={[
        {
          head: 'Type',
          kind: 'row',
          cell: ({ type }) => (
            <a href={accountAddress(view, { ...UNFILTERED, type }, 'transactions')}>
              {type ?? 'All types (control sum)'}
            </a>
          ),
        },
        { head: 'Transactions', kind: 'number', cell: ({ count }) => formatCount(count) },
        { head: 'Sum', kind: 'number', cell: ({ amount }) => formatMoney(amount) },
      ]}
    />
  );
}

/** Parameters of the first page of all transactions. */
const UNFILTERED = { type: null, from: null, to: null, id: null, transactions: null };

function Filter({ view }: { view: AccountPageView }): VNode {
  const { filter } = view.query;
  const isFiltered = Object.values(filter).some((value) => value !== null);
  const address = ADDRESSES.account(view.supplier.code, view.accountNumber);
  return (
    <Filters
      action={`${address}#transactions`}
      filters={[
        {
          ...{ name: 'type', label: 'Type', value: filter.type },
          options: TRANSACTION_TYPES.map((type) => [type, type]),
        },
        { name: 'from', label: 'From', value: filter.from, input: { type: 'date' } },
        { name: 'to', label: 'To', value: filter.to, input: { type: 'date' } },
        { name: 'id', label: 'Transaction id', value: filter.id, input: { maxLength: 128 } },
      ]}
    >
      {isFiltered && <a href={accountAddress(view, UNFILTERED, 'transactions')}>Show all</a>}
    </Filters>
  );
}

function List({ view, rows }: { view: AccountPageView; rows: readonly ViewedTransaction[] }): VNode {
  return (
    <Table
      caption="Transactions, newest first"
      kind="transactions"
      rows={rows}
      columns={[
        { head: 'Date', cell: (transaction) => <TransactionDay transaction={transaction} /> },
        { head: 'Amount', kind: 'number', cell: ({ amount }) => formatMoney(amount) },
        {
          head: 'Transaction',
          cell: ({ type, transaction_id: id }) => (
            <>
              {type}
              <br />
              <span class="muted">{id}</span>
            </>
          ),
        },
        {
          head: 'Details',
          cell: (transaction) => (
            <>
              <TransactionDetails transaction={transaction} />
              <Items view={view} transaction={transaction} />
            </>
          ),
        },
      ]}
    />
  );
}

interface TransactionProps {
  readonly transaction: ViewedTransaction;
}

/** The date; for a moved transaction also the date that was sent (choice X7). */
function TransactionDay({ transaction: { transaction_date, sent_date } }: TransactionProps): VNode {
  return (
    <>
      <Day day={transaction_date} />
      {sent_date !== null && (
        <>
          <br />
          <span class="muted">
            original date: <Day day={sent_date} />
          </span>
        </>
      )}
    </>
  );
}

export function TransactionDetails({ transaction }: TransactionProps): VNode {
  return (
    <>
      <Fields
        kind={TRANSACTION}
        item={transaction}
        except={['transaction_id', 'transaction_date', 'amount', 'type', 'line_items', 'tax_items']}
      />
      <Details pairs={[['Duplicate check', transaction.occurrence === '0' ? null : 'skipped']]} />
    </>
  );
}

/** Leads to the line and tax items, or to whole texts. */
function Items({ view, transaction }: TransactionProps & { view: AccountPageView }): VNode | null {
  const { line_items: lineItems, tax_items: taxItems, isLong } = transaction;
  if (lineItems + taxItems === 0 && !isLong) return null;
  const text = [
    ...(lineItems > 0 ? [counted(lineItems, 'line item')] : []),
    ...(taxItems > 0 ? [counted(taxItems, 'tax item')] : []),
  ].join(', ');
  return (
    <a href={transactionAddress(view.supplier.code, view.accountNumber, transaction)}>
      {text === '' ? 'The whole texts' : text}
    </a>
  );
}
