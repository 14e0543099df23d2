import { Command, Option } from 'commander';
import { runScenario, type ScenarioResult } from '../test/support/reliability/run-scenario.js';
import { describeResult } from '../test/support/import-load.js';
import type { Scenario } from '../test/support/reliability/scenario.js';
import { SCENARIOS } from '../test/support/reliability/scenarios.js';
import { startServer } from '../test/support/standby.js';
import { names, number, wholeNumber } from './options.js';
import { grouped, publish } from './report.js';

const CALLERS = 24;
const REQUESTS_BETWEEN = 100;
const SECONDS_MAX = 3_600;

interface Options {
  readonly only?: readonly string[];
  readonly seconds: number;
  readonly seed: number;
  readonly write: boolean;
}

/**
 * Inject every fault under load, and print how many items were acknowledged, stored, lost and doubled. The exit code is 1 when
 * anything was lost, doubled or not answered.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const options = readOptions(argv);
  const chosen = SCENARIOS.filter(({ name }) => options.only?.includes(name) ?? true);
  const rows: string[][] = [];
  const remarks: string[] = [];
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted.abort();
    });
  }
  for (const scenario of chosen) {
    if (interrupted.signal.aborted) throw new Error('Interrupted.');
    const obstacle = await scenario.obstacle?.();
    if (obstacle !== undefined) {
      remarks.push(`Not run: ${scenario.name} (${obstacle}).`);
      continue;
    }
    log(`${scenario.name}: ${scenario.fault} …`);
    const result = await measured(scenario, options, interrupted.signal).catch((error: unknown) => {
      log(String((error as Error).stack));
      remarks.push(`Failed: ${scenario.name} (${(error as Error).message}).`);
      process.exitCode = 1;
    });
    if (result === undefined) continue;
    log(`  ${describeResult(result)}`);
    if (result.lost + result.doubled + result.unknown + result.unanswered > 0) process.exitCode = 1;
    if (scenario.isSeamless === true && result.failures.length > 0) {
      log(`  ${result.failures.length} requests failed: ${[...new Set(result.failures)].join(', ')}`);
      process.exitCode = 1;
    }
    rows.push(cells(scenario, result));
  }
  await publish(
    {
      section: 'reliability',
      windows: `${options.seconds} s a fault, ${CALLERS} clients, seed ${options.seed}`,
      tables: [{ head: HEAD, rows, remarks }],
    },
    {
      write: options.write,
      page: 'reliability.md',
      database: `PostgreSQL ${await postgresVersion()}`,
      log,
    },
  );
}

function measured(
  scenario: Scenario,
  { seconds, seed }: Options,
  interrupted: AbortSignal,
): Promise<ScenarioResult> {
  let endsAtMs: number | undefined;
  return runScenario(scenario, {
    seed,
    callers: CALLERS,
    requestsBetween: REQUESTS_BETWEEN,
    repeats: 'documented',
    interrupted,
    onStart: () => {
      endsAtMs = performance.now() + seconds * 1_000;
    },
    isOver: () => performance.now() > endsAtMs!,
  });
}

const HEAD = ['Name', 'Fault', 'Faults', 'Sent', 'Acknowledged', 'Stored', 'Lost', 'Doubled', 'Longest s'];

function cells({ name, fault }: Scenario, result: ScenarioResult): string[] {
  const { faults, sends, acknowledged, stored, lost, doubled, unknown } = result;
  if (unknown > 0) log(`${name}: ${unknown} items were stored that were not sent.`);
  const counts = [faults, sends, acknowledged, stored, lost, doubled];
  return [name, fault, ...counts.map(grouped), (result.longestMs / 1_000).toFixed(1)];
}

function readOptions(argv: readonly string[]): Options {
  const known = SCENARIOS.map(({ name }) => name);
  const program = new Command('npm run reliability --')
    .description('Inject faults into services and databases under load, and count lost and doubled items.')
    .option('--only <names>', `names of faults, separated by commas: ${known.join(', ')}`, names)
    .option('--seconds <n>', 'how long each fault is repeated', number(0, SECONDS_MAX), 30)
    .option('--seed <n>', 'seed of the random numbers of the run', wholeNumber(0, 2 ** 32 - 1), 1)
    .addOption(
      new Option('--write', 'write the table to docs/reliability.md').default(false).conflicts('only'),
    )
    .allowExcessArguments(false)
    .parse(argv, { from: 'user' });
  const options = program.opts<Options>();
  const wrong = options.only?.find((name) => !known.includes(name));
  if (wrong !== undefined) program.error(`There is no fault ${wrong}.`);
  return options;
}

async function postgresVersion(): Promise<string> {
  const server = await startServer();
  try {
    const [row] = await server.sql<{ server_version: string }>('SHOW server_version');
    return row!.server_version;
  } finally {
    await server.stop();
  }
}

function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
