import type { Contender, Rows, ServiceNumbers } from '../contenders/contender.js';
import { SUPPLIER } from '../contenders/fixture.js';
import { query, type BenchPostgres } from '../processes/postgres.js';
import { cpuSeconds, measureUsage } from '../processes/process-usage.js';
import { NO_NUMBERS, type StoringExchange } from './answers.js';
import { after, drive, times, withConnections, type Load } from './driver.js';
import { Measurement, type Window } from './measurement.js';
import { median } from './statistics.js';
import { sequential, type AccountPicker, type Scenario } from './scenarios.js';

/** The measurements of a scenario by contender: one row of the table. */
export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly measurements: ReadonlyMap<string, Measurement>;
}

export interface RoundOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly postgres: BenchPostgres;
  readonly log: (sentence: string) => void;
  /** Chooses the account of each request. */
  readonly accounts?: (contender: Contender) => AccountPicker;
  /** Chooses the supplier code of each request; by default, it is the scenario's. */
  readonly suppliers?: (contender: Contender) => (index: number) => string;
}

/** Longest warm-up before the first window, in which code is compiled and queries are planned. */
const WARM_UP_SECONDS_MAX = 2;

/**
 * Measure contenders in one scenario after another, in alternating windows ({@link roundOrder}). Other work on the machine, and
 * work that PostgreSQL still has from the previous window, therefore affects all contenders alike. Every answer is verified,
 * and at the end of a scenario the stored rows are compared with the answers.
 *
 * @throws Error when an answer or the database is wrong
 */
export async function measureAll(
  scenarios: readonly Scenario[],
  contenders: readonly Contender[],
  options: RoundOptions,
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for (const scenario of scenarios) {
    options.log(`${scenario.name}: ${scenario.title}`);
    results.push(await measure(scenario, contenders, options));
  }
  return results;
}

async function measure(
  scenario: Scenario,
  contenders: readonly Contender[],
  options: RoundOptions,
): Promise<ScenarioResult> {
  const runs: ScenarioRun[] = [];
  for (const contender of contenders) {
    runs.push(await ScenarioRun.create(scenario, contender, options));
  }
  for (const run of runs) await run.warmUp(Math.min(options.seconds, WARM_UP_SECONDS_MAX));
  const windows = new Map<ScenarioRun, Window[]>(runs.map((run) => [run, []]));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const run of roundOrder(round, runs)) windows.get(run)?.push(await run.window(options.seconds));
  }
  const measurements = new Map<string, Measurement>();
  for (const [run, runWindows] of windows) {
    await run.compareDatabase();
    const measurement = new Measurement(scenario.itemsPerRequest, runWindows);
    measurements.set(run.name, measurement);
    const rate = Math.round(median(measurement.rates)).toLocaleString('en');
    options.log(`  ${run.name}: ${rate} items/s, p99 ${measurement.latencyMs(0.99).toFixed(1)} ms`);
  }
  return { scenario, measurements };
}

/**
 * The order within a round: A B C, C B A, B C A, A C B, C A B, B A C. Each contender follows every other one equally often.
 */
export function roundOrder<T>(round: number, all: readonly T[]): T[] {
  const first = Math.floor(round / 2) % all.length;
  const order = [...all.slice(first), ...all.slice(0, first)];
  return round % 2 === 0 ? order : order.reverse();
}

/** Load on a contender in a scenario. */
export class ScenarioRun {
  /** Rows stored before the first request, and rows confirmed by the answers since then. */
  private before: Rows = { count: 0, total: 0 };
  private answered: Rows = { count: 0, total: 0 };
  private nextIndex = 0;

  private constructor(
    private readonly scenario: Scenario,
    private readonly contender: Contender,
    private readonly postgres: BenchPostgres,
    private readonly accounts: AccountPicker,
    private readonly numbers: ServiceNumbers,
    private readonly supplierOf: ((index: number) => string) | undefined,
  ) {}

  static async create(
    scenario: Scenario,
    contender: Contender,
    {
      postgres,
      accounts = () => sequential,
      suppliers,
    }: Pick<RoundOptions, 'postgres' | 'accounts' | 'suppliers'>,
  ): Promise<ScenarioRun> {
    const numbers = scenario.namesServiceNumbers ? await contender.serviceNumbers() : NO_NUMBERS;
    const supplierOf = suppliers?.(contender);
    const run = new ScenarioRun(scenario, contender, postgres, accounts(contender), numbers, supplierOf);
    if (scenario.stores) run.before = await contender.stored(scenario.stores);
    return run;
  }

  get name(): string {
    return this.contender.name;
  }

  async warmUp(seconds: number): Promise<void> {
    const { primer, connections } = this.scenario;
    if (primer) {
      await this.load(connections, times(primer.requests), primer);
      this.nextIndex = 0;
    }
    await this.load(connections, after(seconds));
    // ANALYZE discards plans that were made while a table was empty.
    await query(this.contender.databaseUrl, 'ANALYZE');
  }

  async window(seconds: number): Promise<Window> {
    const before = await this.databaseCpus();
    const { result, usage } = await measureUsage(this.contender.pid, () =>
      this.load(this.scenario.connections, after(seconds)),
    );
    const databaseCpus = (await this.databaseCpus()).map((cpu, server) => cpu - (before[server] ?? NaN));
    return { ...result, serverCpu: usage.cpuSeconds, databaseCpus, peakBytes: usage.peakBytes };
  }

  /** @throws Error when the count or the total of the stored rows differs from what the answers confirmed */
  async compareDatabase(): Promise<void> {
    const { stores } = this.scenario;
    if (!stores) return;
    const now = await this.contender.stored(stores);
    const added = { count: now.count - this.before.count, total: now.total - this.before.total };
    if (added.count !== this.answered.count || added.total !== this.answered.total) {
      throw new Error(
        `${this.name} confirmed ${describe(this.answered)} ${stores} in ${this.scenario.name}, but stored ${describe(added)}.`,
      );
    }
  }

  private load(
    connections: number,
    isOver: () => boolean,
    { exchange }: Pick<Scenario, 'exchange'> = this.scenario,
  ): Promise<Load> {
    // A wrong answer ends the run, so a request's rows can be counted before it is answered.
    const next = (): ReturnType<typeof exchange> => {
      const made = this.ofSupplier(exchange(this.nextIndex, this.accounts, this.numbers));
      this.nextIndex += 1;
      const { count, total } = this.answered;
      this.answered = { count: count + made.adds.count, total: total + made.adds.total };
      return made;
    };
    return withConnections(connections, this.contender, (open) => drive(open, next, isOver)).catch(
      (cause: unknown) => {
        throw new Error(`${this.name} failed in ${this.scenario.name}: ${(cause as Error).message}`, {
          cause,
        });
      },
    );
  }

  /** Replace the supplier, which is the same in all scenarios: its code is in the path or at the beginning of the body. */
  private ofSupplier(made: StoringExchange): StoringExchange {
    if (!this.supplierOf) return made;
    const code = this.supplierOf(this.nextIndex);
    const { path, body, ...rest } = made.call;
    return {
      ...made,
      call: {
        ...rest,
        path: path.replace(`/${SUPPLIER}/`, `/${code}/`),
        ...(body !== undefined && { body: body.replace(`"${SUPPLIER}"`, `"${code}"`) }),
      },
    };
  }

  private databaseCpus(): Promise<number[]> {
    return Promise.all((this.contender.databasePids ?? [this.postgres.pid]).map(cpuSeconds));
  }
}

function describe({ count, total }: Rows): string {
  return `${count} (total ${total})`;
}
