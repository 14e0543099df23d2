import { setTimeout as delay } from 'node:timers/promises';
import { measureAll } from './load/rounds.js';
import { SCENARIOS, type Scenario } from './load/scenarios.js';
import { measureBulk } from './measurements/bulk.js';
import { measureBurst } from './measurements/burst.js';
import { measureGrowth } from './measurements/growth.js';
import { measureLoader } from './measurements/loader.js';
import { measureLongLists } from './measurements/long-lists.js';
import { measureNodes } from './measurements/nodes.js';
import { measureFeed } from './measurements/feed.js';
import { measureScreens } from './measurements/screens.js';
import { readOptions, type BenchOptions } from './options.js';
import { CleanUp } from './processes/clean-up.js';
import { startPostgres } from './processes/postgres.js';
import { publish, type Report } from './report.js';
import { BenchRun } from './run.js';
import { comparisonReport, scenarioReport } from './scenario-report.js';

/** Time limit for everything except the windows: starting, filling, verifying. */
const PREPARATION_SECONDS_MAX = 600;
/** A window ends with its last answer, which may come late on a slow server. */
const LATENESS_FACTOR = 3;
/** Time limit per row for filling, or per account for staging and importing. */
const SECONDS_PER_ROW_MAX = 0.001;

/** An expected failure, printed without a stack trace. */
class BenchError extends Error {}

/**
 * Run the benchmark, print its tables and stop everything that was started. The exit code is 1 when an answer was wrong, a
 * server did not start or the time limit was exceeded.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const options = readOptions(argv);
  const ended = new AbortController();
  try {
    const scenarios = chosen(SCENARIOS, options.only);
    const limitSeconds = timeLimitSeconds(options, scenarios.length);
    // Handle signals before PostgreSQL starts, because PostgreSQL would outlive this process.
    const interrupted = interruption(ended.signal);
    const postgres = await startPostgres(options.folder, log);
    const cleanUp = new CleanUp(log);
    cleanUp.defer(postgres.stop);
    try {
      const run = new BenchRun(options, scenarios, postgres, cleanUp, log);
      const report = await Promise.race([perform(run), interrupted, overTime(limitSeconds, ended.signal)]);
      await publish(report, { ...options, page: 'performance.md', database: databaseOf(run), log });
    } finally {
      await cleanUp.run();
    }
  } catch (error) {
    const text = error instanceof BenchError ? error.message : ((error as Error).stack ?? String(error));
    log(text);
    process.exitCode = 1;
  } finally {
    ended.abort();
  }
}

function perform(run: BenchRun): Promise<Report> {
  const { bulk, growth, burst, nodes, screens, feed, loader, longLists } = run.options;
  if (bulk !== undefined) return measureBulk(bulk, run);
  if (growth !== undefined) return measureGrowth(growth, run);
  if (nodes !== undefined) return measureNodes(nodes, run);
  if (screens !== undefined) return measureScreens(screens, run);
  if (feed !== undefined) return measureFeed(feed, run);
  if (loader) return measureLoader(run);
  if (longLists) return measureLongLists(run);
  if (burst) return measureBurst(run);
  return measureScenarios(run);
}

async function measureScenarios(run: BenchRun): Promise<Report> {
  const { scenarios, postgres, options } = run;
  const contenders = [];
  for (const name of run.builds) contenders.push(await run.start(name));
  const results = await measureAll(scenarios, contenders, { ...options, postgres, log });
  return options.against === undefined ? scenarioReport(results) : comparisonReport(results);
}

function databaseOf({ postgres, options }: BenchRun): string {
  return options.nodes === undefined
    ? `PostgreSQL ${postgres.version} at default durability on ${postgres.storage}`
    : 'databases at the addresses of --nodes';
}

/** @throws BenchError when a name is unknown */
function chosen(all: readonly Scenario[], wanted: readonly string[] | undefined): readonly Scenario[] {
  const names = all.map(({ name }) => name);
  const unknown = wanted?.find((name) => !names.includes(name));
  if (unknown === undefined) return all.filter(({ name }) => wanted?.includes(name) ?? true);
  throw new BenchError(`Unknown scenario ${unknown}; known are ${names.join(', ')}.`);
}

function timeLimitSeconds(options: BenchOptions, scenarios: number): number {
  const { seconds, rounds, bulk = 0, screens = 0, feed = 0, growth = [], nodes = [] } = options;
  const windows = scenarios * Math.max(2, growth.length, nodes.length) * (rounds + 1);
  const rows = bulk + screens + 3 * feed + growth.reduce((sum, size) => sum + size, 0);
  return PREPARATION_SECONDS_MAX + windows * seconds * LATENESS_FACTOR + rows * SECONDS_PER_ROW_MAX;
}

/** Rejects after the time limit. */
async function overTime(seconds: number, ended: AbortSignal): Promise<never> {
  await delay(seconds * 1_000, undefined, { signal: ended }).catch(() => undefined);
  throw new BenchError(`The run exceeded its time limit of ${Math.round(seconds)} s.`);
}

/** Rejects on SIGINT, SIGTERM and SIGHUP. */
function interruption(ended: AbortSignal): Promise<never> {
  const interrupted = new Promise<never>((_resolve, reject) => {
    const stop = (): void => {
      reject(new BenchError('Interrupted; stopping all servers …'));
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, stop);
      ended.addEventListener('abort', () => process.off(signal, stop));
    }
  });
  // Until the run starts, nothing awaits this promise.
  interrupted.catch(() => undefined);
  return interrupted;
}

function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
