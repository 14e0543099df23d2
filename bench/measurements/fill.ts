import { ACCOUNTS, accountNumberSql, SUPPLIER } from '../contenders/fixture.js';
import { withClient } from '../processes/postgres.js';
import { grouped } from '../report.js';

/** Rows of each kind per account. More rows mean more accounts, as in a real import. */
export const ROWS_PER_ACCOUNT = 20;

/** The number of accounts in a database with this many rows of a kind. */
export function accountsFor(rows: number): number {
  return Math.max(ACCOUNTS, Math.ceil(rows / ROWS_PER_ACCOUNT));
}

/** Rows inserted by one query. */
const BATCH_ROWS = 1_000_000;

/** Size and kinds of rows with which a database is filled. */
export interface Filling {
  readonly size: number;
  readonly accounts: number;
  readonly parts: readonly (keyof typeof FILL)[];
  readonly log: (sentence: string) => void;
}

export async function fill(url: string, { size, accounts, parts, log }: Filling): Promise<void> {
  log(`Filling a database with ${grouped(size)} rows on ${grouped(accounts)} accounts …`);
  await withClient(url, async (client) => {
    // Disables the trigger that checks for each row that its account exists: all do, and it would take most of the time.
    await client.query(`SET session_replication_role = replica`);
    for (let from = 0; from < size; from += BATCH_ROWS) {
      const to = Math.min(from + BATCH_ROWS, size) - 1;
      for (const part of parts) await client.query(FILL[part], [from, to, accounts]);
      if (size > BATCH_ROWS) log(`  ${grouped(to + 1)} of ${grouped(size)}`);
    }
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  });
}

/**
 * Rows in account order, as a supplier sends them; every 20 rows are an import request. Parameters: first row, last row, number
 * of accounts.
 */
const ROWS = `
  (SELECT s.id AS import_supplier_id, ${accountNumberSql(`(i / ${ROWS_PER_ACCOUNT}) % $3::bigint`)} AS account,
          i, format('01980000-0000-7000-8000-%s', lpad(to_hex(i / ${ROWS_PER_ACCOUNT}), 12, '0'))::uuid AS request
     FROM import_supplier s, generate_series($1::bigint, $2::bigint) AS i
    WHERE s.code = '${SUPPLIER}') AS row`;

/** The days of a line item, in the format in which the service writes JSON: the feed relies on it. */
const DAYS = `"start_date":"2025-01-01","end_date":"2025-01-28"`;

const FILL = {
  transactions: `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id, transaction_date,
                            amount, type, reason, reference, payment_type, display_note, note)
   SELECT import_supplier_id, account, 'stored-' || i, request, date '2020-01-01' + (i % 2000)::integer, 10.25, 'PAYMENT',
          'ACCOUNT_CHARGE_PAYMENT', 'ref ' || i, 'DD_REGULAR_COLLECTION', 'Imported from your previous supplier', 'Ledger line ' || i
     FROM ${ROWS}`,
  supplyCharges: `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id, transaction_date,
                            amount, type, display_note, product_code, line_items, tax_items)
   SELECT import_supplier_id, account, 'stored-' || i, request,
          date '2020-01-01' + (i % 2000)::integer, 105 + i % 90, 'SUPPLY_CHARGE', 'Electricity', 'ELECTRICITY-STANDARD',
          format('[{"rate_band":"CONSUMPTION_STANDARD",${DAYS},"number_of_units":%s,"net_amount":80.25,"price_per_unit":0.25},'
                 '{"rate_band":"CONSUMPTION_NIGHT",${DAYS},"number_of_units":80,"net_amount":20,"price_per_unit":0.25}]', 320 + i % 90)::json,
          '[{"amount":5,"tax_type":"VAT","value_taxed":100,"rate":0.05,"unit_type":"PROPORTION"}]'::json
     FROM ${ROWS}`,
  notes: `INSERT INTO note (import_supplier_id, external_account_number, created_at, created_at_sent, import_request_id, body, is_pinned)
   SELECT import_supplier_id, account, timestamptz '2020-01-01' + i % 2000 * interval '1 day', i % 2 = 0,
          '01980000-0000-7000-8000-000000000000',
          'Call ' || i || ' before the migration: the customer asked about the meter reading.', false
     FROM ${ROWS}`,
  /** The requests of the transactions. */
  requests: `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored, items,
                               amount, stored_at)
   SELECT import_supplier_id, account, request, 'transactions', '01980000-0000-7000-8000-00000000000a', 'stored-' || i, ${ROWS_PER_ACCOUNT},
          ${ROWS_PER_ACCOUNT}, 10.25 * ${ROWS_PER_ACCOUNT}, now() + i / ${ROWS_PER_ACCOUNT} * interval '1 millisecond'
     FROM ${ROWS}
    WHERE i % ${ROWS_PER_ACCOUNT} = 0`,
  requestsOfNotes: `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored)
   SELECT import_supplier_id, account, uuidv7(), 'notes', uuidv7(), 'stored-' || i, ${ROWS_PER_ACCOUNT}
     FROM ${ROWS}
    WHERE i % ${ROWS_PER_ACCOUNT} = 0`,
};
