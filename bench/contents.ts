import { createServiceDatabase, serve, type Contender } from './contenders.js';
import { ACCOUNTS, SUPPLIER } from './fixture.js';
import { fill, FILL, ROWS_PER_ACCOUNT } from './growth.js';
import { cpuSeconds, peakMemoryBytes, residentMemoryBytes, resetPeakMemory } from './process-usage.js';
import { grouped, megabytes, type Report } from './report.js';
import type { BenchRun } from './run.js';

/** Supply charges are larger, and one fourth of them is enough. */
const SUPPLY_CHARGES_SHARE = 0.25;
/** The list is read so often; the fastest reading counts, because nothing but the machine makes one slower. */
const READINGS = 3;

/** One reading of the whole list. */
interface Reading {
  readonly seconds: number;
  readonly cpuSeconds: number | undefined;
  readonly bytes: number;
  readonly peakBytes: number | undefined;
}

/**
 * Measure the list of what the accounts of a supplier hold: how many transactions are read and hashed in a second.
 *
 * @param transactions stored ones, 20 on each account
 * @throws Error when the list does not have every transaction
 */
export async function measureContents(transactions: number, run: BenchRun): Promise<Report> {
  const supplyCharges = Math.round(transactions * SUPPLY_CHARGES_SHARE);
  const rows = [
    await measureKind('transactions', transactions, FILL.transactions, run),
    await measureKind('supply charges', supplyCharges, FILL.supplyCharges, run),
  ];
  return {
    section: 'contents',
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
  count: number,
  part: string,
  { postgres, cleanUp, log }: BenchRun,
): Promise<string[]> {
  const accounts = Math.max(ACCOUNTS, Math.ceil(count / ROWS_PER_ACCOUNT));
  log(`Filling a database with ${grouped(count)} ${name} on ${grouped(accounts)} accounts …`);
  const database = await createServiceDatabase(
    postgres,
    `bench_contents_${name.replace(' ', '_')}`,
    accounts,
  );
  await fill(database.url, count, accounts, log, [part]);
  const service = await serve(postgres, `service with ${name}`, database);
  cleanUp.defer(service.stop);
  const before = await residentMemoryBytes(service.pid);
  const readings: Reading[] = [];
  for (let reading = 1; reading <= READINGS; reading += 1) {
    log(`${name}, reading ${reading} of ${READINGS}`);
    readings.push(await readAll(service, count));
  }
  const [fastest] = readings.sort((one, other) => one.seconds - other.seconds);
  if (!fastest) throw new Error('Nothing was read.');
  const peaks = readings.map(({ peakBytes = 0 }) => peakBytes);
  return [
    name,
    grouped(count),
    grouped(count / fastest.seconds),
    fastest.cpuSeconds === undefined ? '–' : ((fastest.cpuSeconds * 1e6) / count).toFixed(1),
    megabytes(fastest.bytes),
    before === undefined ? '–' : megabytes(before),
    megabytes(Math.max(...peaks)),
  ];
}

async function readAll({ origin, token, pid }: Contender, expected: number): Promise<Reading> {
  await resetPeakMemory(pid);
  const [cpuBefore, start] = [await cpuSeconds(pid), performance.now()];
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
  count += transactionsOf(rest);
  const seconds = (performance.now() - start) / 1_000;
  if (count !== expected) throw new Error(`The list has ${count} transactions instead of ${expected}.`);
  const cpuAfter = await cpuSeconds(pid);
  return {
    seconds,
    cpuSeconds: cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore,
    bytes,
    peakBytes: await peakMemoryBytes(pid),
  };
}

/** Each account is a line of the answer. */
function transactionsOf(line: string): number {
  return Number(/"transactions":\{"count":(\d+)/.exec(line)?.[1] ?? 0);
}
