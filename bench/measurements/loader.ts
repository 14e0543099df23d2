import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SUPPLIER, writeLines } from '../contenders/fixture.js';
import type { Contender } from '../contenders/contender.js';
import { NO_NUMBERS, type StoringExchange } from '../load/answers.js';
import { drive, times, withConnections } from '../load/driver.js';
import { scenarioOf, sequential, type Scenario } from '../load/scenarios.js';
import { median } from '../load/statistics.js';
import { LOADER_BUILD, LOADER_PROGRAM, PROJECT } from '../paths.js';
import { runCommand } from '../processes/child.js';
import { grouped, ratio, type Report } from '../report.js';
import type { BenchRun } from '../run.js';

/** Requests per round, each for a different account. */
const REQUESTS = 5_000;
/** Timeout for the whole load of a round, with a wide margin. */
const LOAD_TIMEOUT_MS = 600_000;

/** The time that a client needed for the requests of a round. */
interface Effort {
  readonly seconds: number;
  /** Processor time of the client alone. */
  readonly cpuSeconds: number;
}

/** A module that prints the processor time of the loader's process when it exits. */
const PRINT_CPU = `data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('\\ncpu '+(user+system)/1e6)})`;

/**
 * Measure the loader and, for reference, the benchmark's own driver with as many connections and requests of the same size. The
 * file is NDJSON with 20 transactions per account, grouped by account. The loader's time is that of its whole process.
 *
 * @throws Error when a row is not stored
 */
export async function measureLoader(run: BenchRun): Promise<Report> {
  const { options, postgres, log } = run;
  const scenario = scenarioOf('transactions-20');
  log('Building the loader …');
  await runCommand([join(PROJECT, LOADER_BUILD)], {}, LOAD_TIMEOUT_MS);
  const database = await run.createDatabase('bench_loader');
  const service = await run.serve('service', database);
  const driver: Effort[] = [];
  const loader: Effort[] = [];
  // Round 0 is the warm-up and is not counted.
  for (let round = 0; round <= options.rounds; round += 1) {
    const first = 2 * round * REQUESTS;
    log(round === 0 ? 'Warming up …' : `Round ${round} of ${options.rounds} …`);
    const measured = [
      await withDriver(scenario, first, service),
      await withLoader(scenario, first + REQUESTS, service, {
        apiKey: database.apiKey,
        folder: postgres.folder,
      }),
    ] as const;
    if (round === 0) continue;
    driver.push(measured[0]);
    loader.push(measured[1]);
  }
  return report(scenario.itemsPerRequest, driver, loader);
}

async function withDriver(scenario: Scenario, first: number, service: Contender): Promise<Effort> {
  let index = first;
  const exchanges = Array.from({ length: REQUESTS }, () =>
    scenario.exchange(index++, sequential, NO_NUMBERS),
  );
  const next = (): StoringExchange => {
    const exchange = exchanges.pop();
    if (!exchange) throw new Error('There are no requests left.');
    return exchange;
  };
  const before = process.cpuUsage();
  const { seconds } = await withConnections(scenario.connections, service, (connections) =>
    drive(connections, next, times(REQUESTS)),
  );
  const { user, system } = process.cpuUsage(before);
  return { seconds, cpuSeconds: (user + system) / 1e6 };
}

async function withLoader(
  scenario: Scenario,
  first: number,
  { origin }: Contender,
  { apiKey, folder: parent }: { apiKey: string; folder: string },
): Promise<Effort> {
  const folder = join(parent, `load-${first}`);
  await mkdir(folder);
  await writeLines(join(folder, 'transactions.ndjson'), REQUESTS, (position) => {
    const { body = '' } = scenario.exchange(first + position, sequential, NO_NUMBERS).call;
    const { external_account_number, transactions } = JSON.parse(body) as {
      external_account_number: string;
      transactions: object[];
    };
    return transactions.map((item) => JSON.stringify({ external_account_number, ...item })).join('\n');
  });
  const words = ['load', folder, '--base-url', origin, '--supplier', SUPPLIER, '--json'];
  const { stdout, stderr, seconds } = await runCommand(
    [
      ...['--import', PRINT_CPU, join(PROJECT, LOADER_PROGRAM)],
      ...[...words, '--concurrency', String(scenario.connections)],
    ],
    { DATA_IMPORT_API_KEY: apiKey },
    LOAD_TIMEOUT_MS,
  );
  const { loaded, checked } = JSON.parse(stdout) as { loaded: number; checked: boolean };
  if (loaded !== REQUESTS * scenario.itemsPerRequest) throw new Error(`The loader loaded ${loaded} rows.`);
  if (!checked) throw new Error('The loader has not looked whether every row is there.');
  return { seconds, cpuSeconds: Number(stderr.split('\ncpu ').at(-1)) };
}

function report(itemsPerRequest: number, driver: readonly Effort[], loader: readonly Effort[]): Report {
  const row = (name: string, efforts: readonly Effort[], ratios: string): string[] => [
    name,
    grouped((REQUESTS * itemsPerRequest) / median(efforts.map(({ seconds }) => seconds))),
    ((median(efforts.map(({ cpuSeconds }) => cpuSeconds)) / REQUESTS) * 1e6).toFixed(0),
    ratios,
  ];
  const rates = driver.map(({ seconds }, round) => seconds / (loader[round]?.seconds ?? NaN));
  return {
    section: 'loader',
    windows: `${driver.length} interleaved rounds`,
    tables: [
      {
        head: ['Client', 'Rows/s', 'Client µs a request', 'Rate ÷ driver'],
        rows: [row('driver', driver, '1'), row('loader', loader, ratio(median(rates)))],
        remarks: [
          `${grouped(REQUESTS)} requests of ${itemsPerRequest} transactions a round, the same number of connections. The time of the loader is that of its process: start, hash and count of the file, journal, the look at the end whether every row is there. The ratio is the median of those of each round.`,
        ],
      },
    ],
  };
}
