import { Measurement, type Window } from '../load/measurement.js';
import { roundOrder, ScenarioRun, type ScenarioResult } from '../load/rounds.js';
import type { Scenario } from '../load/scenarios.js';
import type { ServiceDatabase } from '../contenders/service.js';
import { serve } from '../contenders/service.js';
import type { Report } from '../report.js';
import { OLD_SERVICE, type BenchRun } from '../run.js';
import { CPU_HEAD, cpuCells, rateCells } from '../scenario-report.js';

/** When a window is, of `--seconds` each. */
const MOMENTS = ['at once', 'then', 'after ANALYZE'] as const;

/** The database of a build that is copied for each round. */
interface Template {
  readonly name: string;
  readonly database: ServiceDatabase;
}

/** Each measurement is of one moment. */
type Result = Record<(typeof MOMENTS)[number], ScenarioResult>;

/**
 * Measure the first seconds on a database that was just created, as a migration begins, and later ones: PostgreSQL then plans
 * queries about tables that are empty and were never analyzed. For each scenario and round, each build gets a new database and a
 * new process, so Node.js compiles the code during the first window: there the processor time of PostgreSQL says more.
 *
 * @throws Error when an answer or the database is wrong
 */
export async function measureNewDatabase(run: BenchRun): Promise<Report> {
  const templates: Template[] = [];
  for (const name of run.builds) {
    run.log(`Creating a database of ${name} …`);
    const database = await run.createDatabase(databaseOf(name), {}, name);
    templates.push({ name, database });
  }
  const results: Result[] = [];
  for (const scenario of run.scenarios) results.push(await measure(scenario, templates, run));
  const rows = (cells: (builds: Parameters<typeof cpuCells>[0]) => string[]): string[][] =>
    results.flatMap((result) =>
      MOMENTS.map((moment) => {
        const { scenario, measurements } = result[moment];
        const builds = [measurements.get('service'), measurements.get(OLD_SERVICE)] as const;
        return [scenario.title, moment, ...cells(builds)];
      }),
    );
  return {
    section: 'new-database',
    tables: [
      {
        head: ['Scenario', 'When', ...CPU_HEAD],
        rows: rows(cpuCells),
        remarks: [
          `Processor time in µs a request, medians of the rounds, each on a new database: the first ${run.options.seconds} s after its creation, the next ones, and as many after an ANALYZE. Both is service and PostgreSQL together. Node.js compiles the code of the service in the first seconds.`,
        ],
      },
      {
        head: ['Scenario', 'When', 'New items/s', 'Old items/s', 'New ÷ old', 'Rounds'],
        rows: rows(rateCells),
      },
    ],
  };
}

async function measure(scenario: Scenario, templates: readonly Template[], run: BenchRun): Promise<Result> {
  run.log(`${scenario.name}: ${scenario.title}`);
  const windows = new Map<string, Window[][]>(templates.map(({ name }) => [name, []]));
  for (let round = 0; round < run.options.rounds; round += 1) {
    for (const template of roundOrder(round, templates)) {
      windows.get(template.name)?.push(await windowsOf(scenario, template, run));
    }
  }
  const resultOf = (moment: number): ScenarioResult => {
    const measurements = [...windows].map(([name, rounds]) => {
      const ofMoment = rounds.flatMap((round) => round[moment] ?? []);
      return [name, new Measurement(scenario.itemsPerRequest, ofMoment)] as const;
    });
    return { scenario, measurements: new Map(measurements) };
  };
  return { 'at once': resultOf(0), then: resultOf(1), 'after ANALYZE': resultOf(2) };
}

/** @returns none when the build does not have the endpoint */
async function windowsOf(
  scenario: Scenario,
  { name, database }: Template,
  { options: { seconds }, postgres, log }: BenchRun,
): Promise<Window[]> {
  const copy = `${databaseOf(name)}_copy`;
  const url = await postgres.createDatabase(copy, databaseOf(name));
  const settings = { ...database.settings, DATABASE_URL: url };
  const service = await serve(postgres, name, { ...database, url, settings });
  try {
    const load = await ScenarioRun.create(scenario, service, { postgres });
    if (!load) return [];
    await load.prime();
    const windows = [await load.window(seconds), await load.window(seconds)];
    await load.analyze();
    windows.push(await load.window(seconds));
    await load.compareDatabase();
    const rates = windows.map((window) => Math.round(window.requests / window.seconds));
    log(`  ${name}: ${rates.join(', ')} requests/s`);
    return windows;
  } finally {
    await service.stop();
    await postgres.dropDatabase(copy);
  }
}

function databaseOf(name: string): string {
  return `bench_new_${name.replaceAll('-', '_')}`;
}
