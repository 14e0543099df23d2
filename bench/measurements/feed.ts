import type { Contender } from '../contenders/contender.js';
import { SUPPLIER } from '../contenders/fixture.js';
import { withClient } from '../processes/postgres.js';
import { measureUsage, residentMemoryBytes, type Usage } from '../processes/process-usage.js';
import { grouped, megabytes, micros, type Report } from '../report.js';
import type { BenchRun } from '../run.js';
import { measureDelivery } from './delivery.js';
import { accountsFor, fill, ROWS_PER_ACCOUNT, type Filling } from './fill.js';
import { platformToken } from './platform-token.js';

/** Supply charges are larger and scattered changes more numerous, so a share of them is enough. */
const SMALLER_SHARE = 0.25;
/** Number of readings of each feed, alternating with COPY; medians are reported. */
const READINGS = 3;

/** The copied rows, with the columns that the service reads too. */
const COPIED = `SELECT t.transaction_id, t.transaction_date, t.amount, t.type, t.reason, t.reference, t.payment_type, t.display_note,
                       t.note, t.product_code, t.line_items, t.tax_items
                  FROM transaction t`;

/** Number the filled-in changes. @param order of the requests, or one that scatters the accounts */
const NUMBER = (order: string): string => `
  INSERT INTO feed_change (import_supplier_id, sequence, at, import_request_id, external_account_number, type)
  SELECT r.import_supplier_id, row_number() OVER (ORDER BY ${order}), r.stored_at, r.id, r.external_account_number, 'transactions.added'
    FROM import_request r
   ORDER BY ${order};
  INSERT INTO feed (import_supplier_id, last_sequence) SELECT import_supplier_id, count(*) FROM feed_change GROUP BY 1;
  INSERT INTO feed_epoch (import_supplier_id, number, continues_after, reason) SELECT import_supplier_id, 1, 0, 'bench' FROM feed;
  VACUUM ANALYZE;`;

/** Gives each transaction its own request. */
const SCATTER = `
  TRUNCATE import_request;
  UPDATE transaction SET import_request_id = uuidv7();
  INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored)
  SELECT import_supplier_id, external_account_number, import_request_id, 'transactions', uuidv7(), 'scattered', 1 FROM transaction;`;

/**
 * Measure how fast the feed is read as a stream, compared with COPY of the same rows as JSON, and how soon a change is read.
 *
 * @param transactions number of stored transactions, 20 per account and per request. A quarter of that number is measured as
 *   supply charges, and again as scattered requests of one transaction
 * @throws Error when the feed lacks a transaction
 */
export async function measureFeed(transactions: number, run: BenchRun): Promise<Report> {
  const fewer = Math.round(transactions * SMALLER_SHARE);
  const rows = [
    await measureKind('transactions', transactions, 'transactions', 'r.stored_at', run),
    await measureKind('supply charges', fewer, 'supplyCharges', 'r.stored_at', run),
    await measureKind(
      'scattered changes of one transaction',
      fewer,
      'transactions',
      'hashtext(r.id::text)',
      run,
    ),
  ];
  const delivery = await measureDelivery(run);
  return {
    section: 'feed',
    windows: 'one run',
    tables: [
      {
        head: [
          'Rows',
          'Stored',
          'Rows/s',
          'COPY rows/s',
          'Read ÷ COPY',
          'Service CPU µs/row',
          'Answer MB',
          'Memory before MB',
          'Most MB',
        ],
        rows,
        remarks: [
          `${ROWS_PER_ACCOUNT} rows on each account; the whole feed as one stream. Medians of ${READINGS} readings, each after a COPY. PostgreSQL, the service and its client share the machine.`,
        ],
      },
      {
        head: ['Clients', 'Changes', 'Median ms', 'p99 ms'],
        rows: [delivery],
        remarks: [
          'From the time of a change, the beginning of its transaction, to the end of the answer that has it; a reader waits while clients import 20 transactions a request.',
        ],
      },
    ],
  };
}

async function measureKind(
  name: string,
  size: number,
  part: Filling['parts'][number],
  order: string,
  run: BenchRun,
): Promise<string[]> {
  const accounts = accountsFor(size);
  const database = await run.createDatabase(`bench_feed_${part.toLowerCase()}_${order.length}`, { accounts });
  await fill(database.url, { size, accounts, parts: [part, 'requests'], log: run.log });
  await withClient(database.url, async (client) => {
    const isScattered = order.includes('hash');
    for (const text of [...(isScattered ? SCATTER.split(';') : []), ...NUMBER(order).split(';')]) {
      if (text.trim() !== '') await client.query(text);
    }
  });
  const service = await run.serve(`service with ${name}`, database);
  const token = await platformToken(service, database);
  const before = await residentMemoryBytes(service.pid);
  const readings: Usage[] = [];
  const copies: number[] = [];
  let bytes = 0;
  for (let reading = 1; reading <= READINGS; reading += 1) {
    run.log(`${name}, reading ${reading} of ${READINGS}`);
    copies.push(await copySeconds(database.url));
    const { result, usage } = await measureUsage(service.pid, () => readAll(service, token));
    if (result.count !== size) throw new Error(`The feed has ${result.count} rows instead of ${size}.`);
    readings.push(usage);
    bytes = result.bytes;
  }
  const usage = readings.sort((one, other) => one.seconds - other.seconds)[Math.floor(READINGS / 2)];
  const copy = copies.sort((one, other) => one - other)[Math.floor(READINGS / 2)];
  if (!usage || copy === undefined) throw new Error('Nothing was read.');
  return [
    name,
    grouped(size),
    grouped(size / usage.seconds),
    grouped(size / copy),
    (copy / usage.seconds).toFixed(2),
    micros((usage.cpuSeconds * 1e6) / size),
    megabytes(bytes),
    megabytes(before),
    megabytes(Math.max(...readings.map(({ peakBytes }) => peakBytes))),
  ];
}

function copySeconds(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const startedMs = performance.now();
    await client.query(`COPY (SELECT row_to_json(t) FROM (${COPIED}) AS t) TO PROGRAM 'cat > /dev/null'`);
    return (performance.now() - startedMs) / 1_000;
  });
}

async function readAll({ origin }: Contender, token: string): Promise<{ bytes: number; count: number }> {
  const response = await fetch(`${origin}/v1/platform/import-suppliers/${SUPPLIER}/changes/`, {
    headers: { authorization: `Token ${token}`, accept: 'application/x-ndjson' },
  });
  if (response.status !== 200 || !response.body) throw new Error(`The feed answered ${response.status}.`);
  let [bytes, count, rest] = [0, 0, ''];
  const chunks = response.body.pipeThrough(new TextDecoderStream()) as AsyncIterable<string>;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) count += line.split('"transaction_id":').length - 1;
  }
  return { bytes, count };
}
