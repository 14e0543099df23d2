import { setTimeout as delay } from 'node:timers/promises';
import { measureBulk } from './bulk.js';
import { measureBurst } from './burst.js';
import { CleanUp } from './clean-up.js';
import {
  CONTENDERS,
  OLD_SERVICE,
  startContender,
  USUAL_CONTENDERS,
  type Contender,
  type ContenderName,
} from './contenders.js';
import { measureContents } from './contents.js';
import { measureGrowth } from './growth.js';
import { measureLoader } from './loader.js';
import { measureLongLists } from './long-lists.js';
import { measureNodes } from './nodes.js';
import type { ScenarioRun } from './run.js';
import { measureScreens } from './screens.js';
import { measureUndo } from './undo.js';
import { readOptions, type BenchOptions } from './options.js';
import { startPostgres, type BenchPostgres } from './postgres.js';
import {
  comparisonReport,
  describeMachine,
  scenarioReport,
  toText,
  writeReport,
  type Report,
} from './report.js';
import { measure, type ScenarioResult } from './rounds.js';
import { SCENARIOS } from './scenarios.js';

/** Time limit for everything but the windows: starting, filling, verifying. */
const PREPARATION_SECONDS_MAX = 600;
/** A window ends with its last answer, which may be late on a slow server. */
const LATENESS_FACTOR = 3;
/** Time limit for filling a row, or staging and importing an account. */
const SECONDS_PER_ROW_MAX = 0.001;

/** An expected failure; its message is printed without a stack. */
class BenchError extends Error {}

/**
 * Run the benchmark, print its tables, and stop everything that was started. The exit code is 1 when an answer was wrong, a
 * server did not start, or the time limit was exceeded.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const options = readOptions(argv);
  const ended = new AbortController();
  try {
    const scenarios = chosen(SCENARIOS, options.only, 'scenario');
    const contenders = chosenContenders(options);
    const limit = timeLimit(options, scenarios.length, contenders.length);
    // Before PostgreSQL is started, because it would not end with this process.
    const interrupted = interruption(ended.signal);
    const postgres = await startPostgres(options.folder, log);
    const cleanUp = new CleanUp(log);
    cleanUp.defer(postgres.stop);
    try {
      const run = { options, scenarios, contenders, postgres, cleanUp, log };
      const report = await Promise.race([perform(run), interrupted, limit.over(ended.signal)]);
      publish(report, options, postgres);
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

interface Run extends ScenarioRun {
  readonly contenders: readonly ContenderName[];
}

function perform(run: Run): Promise<Report> {
  const { options } = run;
  if (options.bulk !== undefined) return measureBulk(options.bulk, run);
  if (options.growth !== undefined) return measureGrowth(options.growth, run);
  if (options.burst !== undefined) return measureBurst(options.burst, options, run);
  if (options.nodes !== undefined) return measureNodes(options.nodes, run);
  if (options.screens !== undefined) return measureScreens(options.screens, run);
  if (options.contents !== undefined) return measureContents(options.contents, run);
  if (options.undo !== undefined) return measureUndo(options.undo, run);
  if (options.loader) return measureLoader(options.rounds, run);
  if (options.longLists) return measureLongLists(options, run);
  return measureScenarios(run);
}

async function measureScenarios({
  options,
  scenarios,
  contenders: names,
  postgres,
  cleanUp,
}: Run): Promise<Report> {
  const contenders: Contender[] = [];
  for (const name of names) {
    log(`Starting ${name} …`);
    const contender = await startContender(
      name,
      postgres,
      name === OLD_SERVICE ? options.against : undefined,
    );
    cleanUp.defer(contender.stop);
    contenders.push(contender);
  }
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios) {
    log(`${scenario.name}: ${scenario.title}`);
    results.push(await measure(scenario, contenders, postgres, { ...options, log }));
  }
  return options.against === undefined ? scenarioReport(results, names) : comparisonReport(results);
}

function publish(report: Report, options: BenchOptions, postgres: BenchPostgres): void {
  const { seconds, rounds } = options;
  const windows =
    {
      bulk: 'one run',
      'long-lists': 'one run',
      screens: 'one run',
      contents: 'one run',
      undo: 'one run',
      burst: `${rounds} interleaved rounds`,
      loader: `${rounds} interleaved rounds`,
    }[report.section as string] ?? `windows of ${seconds} s, medians of ${rounds} interleaved rounds`;
  const database =
    options.nodes === undefined
      ? `PostgreSQL ${postgres.version} at default durability on ${postgres.storage}`
      : 'databases at the addresses of --nodes';
  const machine = describeMachine(database, windows);
  process.stdout.write(`${machine}\n\n${toText(report)}\n`);
  if (options.write) {
    writeReport(report, machine);
    log('The result was written to docs/performance.md.');
  }
}

function chosenContenders({ against, contenders }: BenchOptions): ContenderName[] {
  if (against !== undefined) return ['service', OLD_SERVICE];
  const all = CONTENDERS.map((name) => ({ name }));
  return chosen(all, contenders ?? USUAL_CONTENDERS, 'contender').map(({ name }) => name);
}

function chosen<T extends { readonly name: string }>(
  all: readonly T[],
  wanted: readonly string[] | undefined,
  what: string,
): T[] {
  const names = all.map(({ name }) => name);
  for (const name of wanted ?? []) {
    if (!names.includes(name)) {
      throw new BenchError(`Unknown ${what} ${name}; known are ${names.join(', ')}.`);
    }
  }
  return all.filter(({ name }) => wanted?.includes(name) ?? true);
}

/** The time limit of a run. */
function timeLimit(
  { seconds, rounds, bulk = 0, screens = 0, contents = 0, undo = 0, growth = [], nodes = [] }: BenchOptions,
  scenarios: number,
  contenders: number,
): { over: (ended: AbortSignal) => Promise<never> } {
  const windows = scenarios * Math.max(contenders, growth.length, nodes.length) * (rounds + 1) * seconds;
  const rows = bulk + screens + 2 * contents + 2 * undo + growth.reduce((sum, size) => sum + size, 0);
  const limitSeconds = PREPARATION_SECONDS_MAX + windows * LATENESS_FACTOR + rows * SECONDS_PER_ROW_MAX;
  return {
    over: async (ended) => {
      await delay(limitSeconds * 1_000, undefined, { signal: ended }).catch(() => undefined);
      throw new BenchError(`The run exceeded its time limit of ${Math.round(limitSeconds)} s.`);
    },
  };
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
  // Nothing awaits it before the run itself starts.
  interrupted.catch(() => undefined);
  return interrupted;
}

function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
