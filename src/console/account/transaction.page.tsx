import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { formatCount, formatMoney } from '../common/format.js';
import { Day } from '../layout/date-time.js';
import { Table } from '../layout/table.js';
import type { Page } from '../layout/page.js';
import type { LineItem, TaxItem, TransactionPageView } from './account.types.js';
import { TransactionDetails } from './transactions.js';

/** A transaction with its line and tax items (choice C5). */
export function transactionPage({
  supplier,
  number,
  transaction,
  lineItems,
  taxItems,
}: TransactionPageView): Page {
  return {
    title: `Transaction ${transaction.id}`,
    above: [
      { text: 'Overview', href: ADDRESSES.overview },
      { text: supplier.name, href: ADDRESSES.supplier(supplier.code) },
      { text: number, href: ADDRESSES.account(supplier.code, number) },
    ],
    body: (
      <>
        <dl class="figures">
          <div>
            <dt>{transaction.type}</dt>
            <dd>{formatMoney(transaction.amount)}</dd>
          </div>
          <div>
            <dt>Day</dt>
            <dd>
              <Day day={transaction.date} />
            </dd>
          </div>
        </dl>
        {transaction.sentDate !== null && (
          <p class="muted">
            Sent as <Day day={transaction.sentDate} />
          </p>
        )}
        <TransactionDetails transaction={transaction} />
        <div id="items">
          {lineItems.length > 0 && <LineItems items={lineItems} />}
          {taxItems.length > 0 && <TaxItems items={taxItems} />}
          {lineItems.length + taxItems.length === 0 && <p class="empty">It has no line or tax items.</p>}
        </div>
      </>
    ),
  };
}

function LineItems({ items }: { items: readonly LineItem[] }): VNode {
  return (
    <Table caption="Line items">
      <thead>
        <tr>
          <th scope="col">Rate band</th>
          <th scope="col">Period</th>
          <th scope="col" class="number">
            Units
          </th>
          <th scope="col" class="number">
            Price per unit
          </th>
          <th scope="col" class="number">
            Net amount
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          <tr key={index}>
            <td>
              {item.rate_band}
              <Readings item={item} />
            </td>
            <td>
              <Day day={item.start_date} /> to <Day day={item.end_date} />
            </td>
            <td class="number">{item.number_of_units}</td>
            <td class="number">{item.price_per_unit}</td>
            <td class="number">{formatMoney(item.net_amount)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Readings({ item: { unit_count, first_units } }: { item: LineItem }): VNode | null {
  if (unit_count === 0) return null;
  const rest = unit_count - first_units.length;
  return (
    <div class="muted">
      {formatCount(unit_count)} {unit_count === 1 ? 'reading' : 'readings'}: {first_units.join(', ')}
      {rest > 0 && ` and ${formatCount(rest)} more`}
    </div>
  );
}

function TaxItems({ items }: { items: readonly TaxItem[] }): VNode {
  return (
    <Table caption="Tax items">
      <thead>
        <tr>
          <th scope="col">Tax</th>
          <th scope="col">Unit</th>
          <th scope="col" class="number">
            Rate
          </th>
          <th scope="col" class="number">
            Value taxed
          </th>
          <th scope="col" class="number">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          <tr key={index}>
            <td>{item.tax_type}</td>
            <td>{item.unit_type}</td>
            <td class="number">{item.rate}</td>
            <td class="number">{formatMoney(item.value_taxed)}</td>
            <td class="number">{formatMoney(item.amount)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
