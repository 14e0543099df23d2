import type { VNode } from 'preact';
import { counted, formatCount, formatMoney } from '../common/format.js';
import { Day } from '../layout/date-time.js';
import type { Page } from '../layout/page.js';
import { Statistics } from '../layout/pairs.js';
import { Table, type Column } from '../layout/table.js';
import { belowAccount } from './account-addresses.js';
import type { LineItem, TaxItem, ItemPageView, ItemizedTransaction } from './account.types.js';
import { Days } from './parts.js';
import { TransactionDetails } from './transactions.js';

/** A transaction with its line and tax items (choice C5). */
export function transactionPage(view: ItemPageView<ItemizedTransaction>): Page {
  const { item: transaction } = view;
  const { transaction_id: id, type, amount, transaction_date, sent_date, lineItems, taxItems } = transaction;
  return {
    title: `Transaction ${id}`,
    ...belowAccount(view),
    body: (
      <>
        <Statistics
          pairs={[
            [type, formatMoney(amount)],
            ['Date', <Day day={transaction_date} />],
          ]}
        />
        {sent_date !== null && (
          <p class="muted">
            Original date: <Day day={sent_date} />
          </p>
        )}
        <TransactionDetails transaction={transaction} />
        {lineItems.length > 0 && <Table caption="Line items" rows={lineItems} columns={LINE_COLUMNS} />}
        {taxItems.length > 0 && <Table caption="Tax items" rows={taxItems} columns={TAX_COLUMNS} />}
        {lineItems.length + taxItems.length === 0 && <p class="empty">No line items or tax items.</p>}
      </>
    ),
  };
}

const LINE_COLUMNS: readonly Column<LineItem>[] = [
  {
    head: 'Rate band',
    cell: (item) => (
      <>
        {item.rate_band}
        <Readings item={item} />
      </>
    ),
  },
  { head: 'Period', cell: ({ start_date, end_date }) => <Days from={start_date} to={end_date} /> },
  { head: 'Units', kind: 'number', cell: ({ number_of_units }) => number_of_units },
  { head: 'Price per unit', kind: 'number', cell: ({ price_per_unit }) => price_per_unit },
  { head: 'Net amount', kind: 'number', cell: ({ net_amount }) => formatMoney(net_amount) },
];

/** The most readings of a line item that are shown. */
const UNITS_SHOWN = 48;

function Readings({ item: { units = [] } }: { item: LineItem }): VNode | null {
  if (units.length === 0) return null;
  const rest = units.length - UNITS_SHOWN;
  return (
    <div class="muted">
      {counted(units.length, 'reading')}: {units.slice(0, UNITS_SHOWN).join(', ')}
      {rest > 0 && ` and ${formatCount(rest)} more`}
    </div>
  );
}

const TAX_COLUMNS: readonly Column<TaxItem>[] = [
  { head: 'Tax', cell: ({ tax_type }) => tax_type },
  { head: 'Unit', cell: ({ unit_type }) => unit_type },
  { head: 'Rate', kind: 'number', cell: ({ rate }) => rate },
  { head: 'Value taxed', kind: 'number', cell: ({ value_taxed }) => formatMoney(value_taxed) },
  { head: 'Amount', kind: 'number', cell: ({ amount }) => formatMoney(amount) },
];
