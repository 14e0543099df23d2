import { setTimeout as delay } from 'node:timers/promises';
import { measureBulk } from './bulk.js';
import { CleanUp } from './clean-up.js';
import {
  CONTENDERS,
  OLD_SERVICE,
  startContender,
  USUAL_CONTENDERS,
  type Contender,
  type ContenderName,
} from './contenders.js';
import { measureGrowth } from './growth.js';
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
import { SCENARIOS, type Scenario } from './scenarios.js';

/** What a run may take beyond its windows: starting, filling, verifying. */
const PREPARATION_SECONDS_MAX = 600;
/** A window ends when its last answer is there; a slow server's may be late. */
const LATENESS_FACTOR = 3;
/** Filling a row, or staging and importing an account, is far quicker than this on any machine worth measuring. */
const SECONDS_PER_ROW_MAX = 0.001;

/** A run that cannot go on; its message is for a person. */
class BenchError extends Error {}

/**
 * Run the benchmark that the arguments ask for, print its tables, and end everything that was started, whatever happens.
 * The exit code is 1 when a server answered wrongly, did not come up, or took far too long.
 */
export async function main(argv: readonly string[]): Promise<void> {
  const options = readOptions(argv);
  const ended = new AbortController();
  try {
    const scenarios = chosen(SCENARIOS, options.only, 'scenario');
    const contenders = chosenContenders(options);
    const limit = timeLimit(options, scenarios.length, contenders.length);
    // From the first moment on: PostgreSQL would not end with this process.
    const interrupted = interruption(ended.signal);
    const postgres = await startPostgres(options.folder, say);
    const cleanUp = new CleanUp(say);
    cleanUp.later(postgres.stop);
    try {
      const run = { options, scenarios, contenders, postgres, cleanUp };
      const report = await Promise.race([perform(run), interrupted, limit.over(ended.signal)]);
      publish(report, options, postgres);
    } finally {
      await cleanUp.now();
    }
  } catch (error) {
    const text = error instanceof BenchError ? error.message : ((error as Error).stack ?? String(error));
    say(text);
    process.exitCode = 1;
  } finally {
    ended.abort();
  }
}

interface Run {
  readonly options: BenchOptions;
  readonly scenarios: readonly Scenario[];
  readonly contenders: readonly ContenderName[];
  readonly postgres: BenchPostgres;
  readonly cleanUp: CleanUp;
}

function perform(run: Run): Promise<Report> {
  const { options, scenarios, postgres, cleanUp } = run;
  if (options.bulk !== undefined) return measureBulk(options.bulk, { postgres, cleanUp, say });
  if (options.growth !== undefined) {
    return measureGrowth(options.growth, { options, scenarios, postgres, cleanUp, say });
  }
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
    say(`Starting ${name} …`);
    const contender = await startContender(
      name,
      postgres,
      name === OLD_SERVICE ? options.against : undefined,
    );
    cleanUp.later(contender.stop);
    contenders.push(contender);
  }
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios) {
    say(`${scenario.name}: ${scenario.title}`);
    results.push(await measure(scenario, contenders, postgres, { ...options, say }));
  }
  return options.against === undefined ? scenarioReport(results, names) : comparisonReport(results);
}

function publish(report: Report, options: BenchOptions, postgres: BenchPostgres): void {
  const { seconds, rounds } = options;
  const windows =
    report.section === 'bulk'
      ? 'one run'
      : `windows of ${seconds} s, medians of ${rounds} interleaved rounds`;
  const machine = describeMachine(postgres, windows);
  process.stdout.write(`${machine}\n\n${toText(report)}\n`);
  if (options.write) {
    writeReport(report, machine);
    say('Written to docs/performance.md.');
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
      throw new BenchError(`There is no ${what} ${name}; there are ${names.join(', ')}.`);
    }
  }
  return all.filter(({ name }) => wanted?.includes(name) ?? true);
}

/** Ends a run that hangs. */
function timeLimit(
  { seconds, rounds, bulk = 0, growth = [] }: BenchOptions,
  scenarios: number,
  contenders: number,
): { over: (ended: AbortSignal) => Promise<never> } {
  const windows = scenarios * Math.max(contenders, growth.length) * (rounds + 1) * seconds;
  const rows = bulk + growth.reduce((sum, size) => sum + size, 0);
  const limitSeconds = PREPARATION_SECONDS_MAX + windows * LATENESS_FACTOR + rows * SECONDS_PER_ROW_MAX;
  return {
    over: async (ended) => {
      await delay(limitSeconds * 1_000, undefined, { signal: ended }).catch(() => undefined);
      throw new BenchError(`The run was not over after ${Math.round(limitSeconds)} s and is ended.`);
    },
  };
}

/** Rejects when somebody ends the run, by closing the terminal too. */
function interruption(ended: AbortSignal): Promise<never> {
  const interrupted = new Promise<never>((_resolve, reject) => {
    const stop = (): void => {
      reject(new BenchError('Interrupted; ending what was started …'));
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, stop);
      ended.addEventListener('abort', () => process.off(signal, stop));
    }
  });
  // Before the run itself nobody waits for it.
  interrupted.catch(() => undefined);
  return interrupted;
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
