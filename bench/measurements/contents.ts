import { SUPPLIER } from '../contenders/fixture.js';
import type { Contender } from '../contenders/contender.js';
import { measureUsage, residentMemoryBytes, type Usage } from '../processes/process-usage.js';
import { grouped, megabytes, micros, type Report } from '../report.js';
import type { BenchRun } from '../run.js';
import { accountsFor, fill, ROWS_PER_ACCOUNT, type Filling } from './fill.js';

/** Supply charges are larger, and one fourth of them is enough. */
const SUPPLY_CHARGES_SHARE = 0.25;
/** The list is read so often; the fastest reading counts, because nothing but the machine makes one slower. */
const READINGS = 3;

/**
 * Measure the list of what the accounts of a supplier hold: how many transactions are read and hashed in a second.
 *
 * @param transactions stored ones, 20 on each account
 * @throws Error when the list does not have every transaction
 */
export async function measureContents(transactions: number, run: BenchRun): Promise<Report> {
  const supplyCharges = Math.round(transactions * SUPPLY_CHARGES_SHARE);
  const rows = [
    await measureKind('transactions', transactions, 'transactions', run),
    await measureKind('supply charges', supplyCharges, 'supplyCharges', run),
  ];
  return {
    section: 'contents',
    windows: 'one run',
    tables: [
      {
        head: ['Rows', 'Stored', 'Rows/s', 'Service CPU µs/row', 'Answer MB', 'Memory before MB', 'Most MB'],
        rows,
        remarks: [
          `${ROWS_PER_ACCOUNT} rows on each account; the whole list in one answer, the fastest of ${READINGS} readings. PostgreSQL, the service and its client share the machine.`,
        ],
      },
    ],
  };
}

async function measureKind(
  name: string,
  size: number,
  part: Filling['parts'][number],
  run: BenchRun,
): Promise<string[]> {
  const accounts = accountsFor(size);
  const database = await run.createDatabase(`bench_contents_${part.toLowerCase()}`, { accounts });
  await fill(database.url, { size, accounts, parts: [part], log: run.log });
  const service = await run.serve(`service with ${name}`, database);
  const before = await residentMemoryBytes(service.pid);
  const readings: Usage[] = [];
  let bytes = 0;
  for (let reading = 1; reading <= READINGS; reading += 1) {
    run.log(`${name}, reading ${reading} of ${READINGS}`);
    const { result, usage } = await measureUsage(service.pid, () => readAll(service));
    if (result.count !== size) throw new Error(`The list has ${result.count} rows instead of ${size}.`);
    readings.push(usage);
    bytes = result.bytes;
  }
  const [fastest] = readings.sort((one, other) => one.seconds - other.seconds);
  if (!fastest) throw new Error('Nothing was read.');
  return [
    name,
    grouped(size),
    grouped(size / fastest.seconds),
    micros((fastest.cpuSeconds * 1e6) / size),
    megabytes(bytes),
    megabytes(before),
    megabytes(Math.max(...readings.map(({ peakBytes }) => peakBytes))),
  ];
}

async function readAll({ origin, token }: Contender): Promise<{ bytes: number; count: number }> {
  const response = await fetch(`${origin}/v1/data-import/account-contents/${SUPPLIER}/`, {
    headers: { authorization: `Token ${token}` },
  });
  if (response.status !== 200 || !response.body) throw new Error(`The list answered ${response.status}.`);
  let [bytes, count, rest] = [0, 0, ''];
  const chunks = response.body.pipeThrough(new TextDecoderStream()) as AsyncIterable<string>;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) count += transactionsOf(line);
  }
  return { bytes, count: count + transactionsOf(rest) };
}

/** Each account is a line of the answer. */
function transactionsOf(line: string): number {
  return Number(/"transactions":\{"count":(\d+)/.exec(line)?.[1] ?? 0);
}
