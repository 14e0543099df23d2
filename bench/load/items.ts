export type Item = Readonly<Record<string, unknown>>;

export function items(count: number, make: (position: number) => Item): Item[] {
  return Array.from({ length: count }, (_, position) => make(position));
}

/** A payment or a charge inside the open statement period. */
export function transaction(id: string, position: number): Item {
  const isPayment = position % 2 === 0;
  return {
    transaction_id: id,
    transaction_date: `2025-0${1 + (position % 9)}-1${position % 10}`,
    amount: 10 + position + 0.25,
    type: isPayment ? 'PAYMENT' : 'CHARGE',
    reason: isPayment ? 'ACCOUNT_CHARGE_PAYMENT' : 'IMPORTED_CHARGE',
    ...(isPayment && { reference: `ref ${id}`, payment_type: 'DD_REGULAR_COLLECTION' }),
    display_note: 'Imported from your previous supplier',
    note: `Ledger line ${id}`,
  };
}

export function supplyCharge(id: string, position: number): Item {
  const month = 1 + (position % 9);
  const line = (rateBand: string, units: number): Item => ({
    rate_band: rateBand,
    start_date: `2025-0${month}-01`,
    end_date: `2025-0${month}-28`,
    number_of_units: units,
    net_amount: units * 0.25,
    price_per_unit: 0.25,
  });
  return {
    transaction_id: id,
    transaction_date: `2025-0${month}-28`,
    amount: 105,
    type: 'SUPPLY_CHARGE',
    display_note: 'Electricity',
    product_code: 'ELECTRICITY-STANDARD',
    line_items: [line('CONSUMPTION_STANDARD', 320), line('CONSUMPTION_NIGHT', 80)],
    tax_items: [{ amount: 5, tax_type: 'VAT', value_taxed: 100, rate: 0.05, unit_type: 'PROPORTION' }],
  };
}
