import { createServiceDatabase, serve, type Contender } from './contenders.js';
import { withClient } from './postgres.js';
import { grouped, rateRatio, ratio, type Report } from './report.js';
import { measure, type ScenarioResult } from './rounds.js';
import type { ScenarioRun } from './run.js';
import type { AccountPicker } from './scenarios.js';
import { ACCOUNTS, SUPPLIER, accountNumber, accountNumberSql } from './fixture.js';

/** The scenarios unless `--only` names others. */
const SCENARIOS_DEFAULT = ['transactions-20', 'notes-5'];

/** Rows of each kind of an account; more rows mean more accounts, as in a real import. */
export const ROWS_PER_ACCOUNT = 20;

/** Rows inserted by one query. */
const BATCH_ROWS = 1_000_000;

/** A prime above any number of accounts: its multiples visit every account before any is repeated. */
const SCATTER = 4_294_967_291n;

/**
 * Measure services whose databases contain different numbers of transactions and notes, in alternating windows, so that the
 * rate with many rows can be divided by the rate with few.
 *
 * @param sizes numbers of stored transactions, and of as many notes; ratios are to the first
 */
export async function measureGrowth(
  sizes: readonly number[],
  { options, scenarios, postgres, cleanUp, log }: ScenarioRun,
): Promise<Report> {
  const contenders = new Map<Contender, AccountPicker>();
  for (const size of sizes) {
    const accounts = Math.max(ACCOUNTS, Math.ceil(size / ROWS_PER_ACCOUNT));
    const name = `service with ${grouped(size)}`;
    log(
      `Filling a database with ${grouped(size)} transactions and as many notes on ${grouped(accounts)} accounts …`,
    );
    const database = await createServiceDatabase(postgres, `bench_growth_${size}`, accounts);
    await fill(database.url, size, accounts, log, [FILL.transactions, FILL.notes, FILL.requests]);
    const contender = await serve(postgres, name, database);
    cleanUp.defer(contender.stop);
    contenders.set(contender, options.visits === 'scattered' ? scattered(accounts) : inOrder(accounts));
  }
  const wanted = scenarios.filter(
    ({ name }) => options.only !== undefined || SCENARIOS_DEFAULT.includes(name),
  );
  const results: ScenarioResult[] = [];
  for (const scenario of wanted) {
    log(`${scenario.name}: ${scenario.title}`);
    const accounts = (contender: Contender): AccountPicker => contenders.get(contender) ?? inOrder(ACCOUNTS);
    results.push(await measure(scenario, [...contenders.keys()], postgres, { ...options, log, accounts }));
  }
  return growthReport(results, sizes, [...contenders.keys()], options.visits);
}

function scattered(accounts: number): AccountPicker {
  return (index) => accountNumber(Number((BigInt(index) * SCATTER) % BigInt(accounts)));
}

function inOrder(accounts: number): AccountPicker {
  return (index) => accountNumber(index % accounts);
}

/** @param parts of {@link FILL} */
export async function fill(
  url: string,
  size: number,
  accounts: number,
  log: (sentence: string) => void,
  parts: readonly string[],
): Promise<void> {
  await withClient(url, async (client) => {
    // All accounts exist; the trigger that checks it for each row would take most of the time.
    await client.query(`SET session_replication_role = replica`);
    for (let from = 0; from < size; from += BATCH_ROWS) {
      const to = Math.min(from + BATCH_ROWS, size) - 1;
      for (const text of parts) await client.query(text, [from, to, accounts]);
      if (size > BATCH_ROWS) log(`  ${grouped(to + 1)} of ${grouped(size)}`);
    }
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  });
}

/** Rows in the order of the accounts, as a supplier sends them. Parameters: first and last row, number of accounts. */
const ROWS = `
  (SELECT s.id AS import_supplier_id, ${accountNumberSql(`(i / ${ROWS_PER_ACCOUNT}) % $3::bigint`)} AS account, i
     FROM import_supplier s, generate_series($1::bigint, $2::bigint) AS i
    WHERE s.code = '${SUPPLIER}') AS row`;

export const FILL = {
  transactions: `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id, transaction_date,
                            amount, type, reason, reference, payment_type, display_note, note)
   SELECT import_supplier_id, account, 'stored-' || i, '01980000-0000-7000-8000-000000000000',
          date '2020-01-01' + (i % 2000)::integer, 10.25 + i % 90, 'PAYMENT', 'ACCOUNT_CHARGE_PAYMENT', 'ref ' || i,
          'DD_REGULAR_COLLECTION', 'Imported from your previous supplier', 'Ledger line ' || i
     FROM ${ROWS}`,
  supplyCharges: `INSERT INTO transaction (import_supplier_id, external_account_number, transaction_id, import_request_id, transaction_date,
                            amount, type, display_note, product_code, line_items, tax_items)
   SELECT import_supplier_id, account, 'stored-' || i, '01980000-0000-7000-8000-000000000000',
          date '2020-01-01' + (i % 2000)::integer, 105 + i % 90, 'SUPPLY_CHARGE', 'Electricity', 'ELECTRICITY-STANDARD',
          jsonb_build_array(
            jsonb_build_object('rate_band', 'CONSUMPTION_STANDARD', 'start_date', '2025-01-01', 'end_date', '2025-01-28',
                               'number_of_units', 320 + i % 90, 'net_amount', 80.25, 'price_per_unit', 0.25),
            jsonb_build_object('rate_band', 'CONSUMPTION_NIGHT', 'start_date', '2025-01-01', 'end_date', '2025-01-28',
                               'number_of_units', 80, 'net_amount', 20, 'price_per_unit', 0.25)),
          jsonb_build_array(jsonb_build_object('amount', 5, 'tax_type', 'VAT', 'value_taxed', 100, 'rate', 0.05,
                                               'unit_type', 'PROPORTION'))
     FROM ${ROWS}`,
  notes: `INSERT INTO note (import_supplier_id, external_account_number, created_at, created_at_sent, import_request_id, body, is_pinned)
   SELECT import_supplier_id, account, timestamptz '2020-01-01' + i % 2000 * interval '1 day', i % 2 = 0,
          '01980000-0000-7000-8000-000000000000',
          'Call ' || i || ' before the migration: the customer asked about the meter reading.', false
     FROM ${ROWS}`,
  requests: `INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored)
   SELECT import_supplier_id, account, uuidv7(), kind, uuidv7(), 'stored-' || i, ${ROWS_PER_ACCOUNT}
     FROM ${ROWS}, (VALUES ('transactions'), ('notes')) AS v (kind)
    WHERE i % ${ROWS_PER_ACCOUNT} = 0`,
};

function growthReport(
  results: readonly ScenarioResult[],
  sizes: readonly number[],
  contenders: readonly Contender[],
  visits: string,
): Report {
  const rows = results.flatMap(({ scenario, measurements }) => {
    const [first] = contenders.map(({ name }) => measurements.get(name));
    return contenders.flatMap(({ name }, position) => {
      const measurement = measurements.get(name);
      if (!measurement || !first) return [];
      return [
        [
          scenario.title,
          grouped(sizes[position] ?? NaN),
          grouped(measurement.itemsPerSecond),
          measurement.p50Ms.toFixed(2),
          measurement.p99Ms.toFixed(2),
          ratio(rateRatio(measurement, first)),
        ],
      ];
    });
  });
  return {
    section: 'growth',
    tables: [
      {
        head: ['Scenario', 'Rows stored', 'Items/s', 'p50 ms', 'p99 ms', 'Rate ÷ first'],
        rows,
        remarks: [
          `Rows stored is the number of transactions, and of as many notes, ${ROWS_PER_ACCOUNT} of each per account. Requests visit the accounts ${visits === 'scattered' ? 'in a scattered order' : 'in the order of their numbers'}.`,
        ],
      },
    ],
  };
}
