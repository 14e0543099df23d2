import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { formatCount, formatMoney } from '../common/format.js';
import { Day } from '../layout/date-time.js';
import { Table } from '../layout/table.js';
import { accountAddress, transactionAddress } from './account-addresses.js';
import { isFiltered, TRANSACTION_TYPES } from './account-query.js';
import type { AccountContents, AccountPageView, TypeTotal, ViewedTransaction } from './account.types.js';
import { Details, Pager } from './section.js';

export function Transactions({
  view,
  contents,
}: {
  view: AccountPageView;
  contents: AccountContents;
}): VNode {
  const { typeTotals, transactions } = contents;
  if (typeTotals.every(({ count }) => count === 0)) {
    return <p class="empty">No transactions yet. They appear here when the supplier has sent them.</p>;
  }
  return (
    <>
      <Totals view={view} totals={typeTotals} />
      <Filter view={view} />
      {transactions.rows.length === 0 ? (
        <p class="empty">
          No transaction of this account matches the filter. Change it, or show all of them.
        </p>
      ) : (
        <List view={view} rows={transactions.rows} />
      )}
      <Pager view={view} list="transactions" page={transactions} of="transactions" />
    </>
  );
}

function Totals({ view, totals }: { view: AccountPageView; totals: readonly TypeTotal[] }): VNode {
  const all = { from: undefined, to: undefined, id: undefined, transactions: undefined };
  return (
    <Table caption="Totals by type" kind="totals">
      <thead>
        <tr>
          <th scope="col">Type</th>
          <th scope="col" class="number">
            Transactions
          </th>
          <th scope="col" class="number">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {totals.map(({ type, count, amount }) => (
          <tr key={type} class={type === null ? 'sum' : undefined}>
            <th scope="row">
              <a href={accountAddress(view, { ...all, type: type ?? undefined }, 'transactions')}>
                {type ?? 'All types'}
              </a>
            </th>
            <td class="number">{formatCount(count)}</td>
            <td class="number">{formatMoney(amount)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Filter({ view }: { view: AccountPageView }): VNode {
  const { filter, mistakes } = view.query;
  const address = ADDRESSES.account(view.supplier.code, view.number);
  const none = { type: undefined, from: undefined, to: undefined, id: undefined, transactions: undefined };
  return (
    <form class="filters" action={`${address}#transactions`}>
      <div>
        <label for="filter-type">Type</label>
        <select id="filter-type" name="type">
          <option value="">all</option>
          {TRANSACTION_TYPES.map((type) => (
            <option key={type} value={type} selected={type === filter.type}>
              {type}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label for="filter-from">From</label>
        <input id="filter-from" type="date" name="from" value={filter.from} />
      </div>
      <div>
        <label for="filter-to">To</label>
        <input id="filter-to" type="date" name="to" value={filter.to} />
      </div>
      <div>
        <label for="filter-id">Transaction id</label>
        <input id="filter-id" name="id" value={filter.id} maxLength={128} autocomplete="off" />
      </div>
      <button>Filter</button>
      {isFiltered(filter) && <a href={accountAddress(view, none, 'transactions')}>Show all</a>}
      {mistakes.map((mistake) => (
        <p class="notice notice-warning" key={mistake}>
          {mistake}
        </p>
      ))}
    </form>
  );
}

function List({ view, rows }: { view: AccountPageView; rows: readonly ViewedTransaction[] }): VNode {
  return (
    <Table caption="Transactions, newest first" kind="transactions">
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col" class="number">
            Amount
          </th>
          <th scope="col">Transaction</th>
          <th scope="col">Particulars</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((transaction) => (
          <tr key={`${transaction.id} ${transaction.occurrence}`}>
            <td>
              <TransactionDay transaction={transaction} />
            </td>
            <td class="number">{formatMoney(transaction.amount)}</td>
            <td>
              {transaction.type}
              <br />
              <span class="muted">{transaction.id}</span>
            </td>
            <td>
              <TransactionDetails transaction={transaction} />
              <Items view={view} transaction={transaction} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** With the day that was sent, of one that was moved (choice X7). */
function TransactionDay({ transaction }: { transaction: ViewedTransaction }): VNode {
  const { date, sentDate } = transaction;
  return (
    <>
      <Day day={date} />
      {sentDate !== null && (
        <>
          <br />
          <span class="muted">
            sent as <Day day={sentDate} />
          </span>
        </>
      )}
    </>
  );
}

export function TransactionDetails({ transaction }: { transaction: ViewedTransaction }): VNode {
  const { reason, reference, paymentType, productCode, displayNote, note, occurrence } = transaction;
  const known: readonly (readonly [string, string | null])[] = [
    ['Reason', reason],
    ['Reference', reference],
    ['Payment type', paymentType],
    ['Product', productCode],
    ['Shown to the customer', displayNote],
    ['Note', note],
    ['Added again', occurrence === '0' ? null : 'without looking for the same id'],
  ];
  return (
    <Details
      of={known.flatMap(([name, value]) =>
        value === null || value === '' ? [] : [[name, <span class="text">{value}</span>] as const],
      )}
    />
  );
}

/** The line and tax items are loaded when they are opened; without JavaScript the link leads to a page of them. */
function Items({
  view,
  transaction,
}: {
  view: AccountPageView;
  transaction: ViewedTransaction;
}): VNode | null {
  const { lineItems, taxItems } = transaction;
  if (lineItems + taxItems === 0) return null;
  const href = transactionAddress(view.supplier.code, view.number, transaction);
  const text = [
    ...(lineItems > 0 ? [`${formatCount(lineItems)} line ${lineItems === 1 ? 'item' : 'items'}`] : []),
    ...(taxItems > 0 ? [`${formatCount(taxItems)} tax ${taxItems === 1 ? 'item' : 'items'}`] : []),
  ].join(', ');
  return (
    <details class="items" hx-get={href} hx-trigger="toggle once" hx-target="find div" hx-select="#items > *">
      <summary>{text}</summary>
      <div>
        <a href={href}>Show them</a>
      </div>
    </details>
  );
}
