import type { Contender } from './contenders.js';
import { after, drive, times, withConnections, type Load } from './driver.js';
import { SUPPLIER } from './fixture.js';
import { query, type BenchPostgres } from './postgres.js';
import { cpuSeconds, peakMemoryBytes, resetPeakMemory } from './process-usage.js';
import {
  sequential,
  NO_NUMBERS,
  type AccountPicker,
  type Rows,
  type Scenario,
  type ServiceNumbers,
  type StoringExchange,
} from './scenarios.js';
import { median, percentile } from './statistics.js';

/** The result of a contender in a scenario: the medians of its windows, and the peak of its memory. */
export interface Measurement {
  readonly itemsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Seconds of processor time of the server's processes; absent where the system does not report it. */
  readonly serverCpuPerThousand?: number;
  /** Seconds of processor time of all processes of PostgreSQL. */
  readonly databaseCpuPerThousand?: number;
  /** The same for each server of the database. */
  readonly databaseCpusPerThousand?: readonly number[];
  readonly peakMemoryBytes?: number;
  /** The rate of each round, in the order of the rounds. */
  readonly rates: readonly number[];
  /** Processor time of both per 1,000 items, of each round; NaN where the system does not report it. */
  readonly cpuPerThousand: readonly number[];
}

/** A row of the table; contenders that were not measured are absent. */
export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly measurements: ReadonlyMap<string, Measurement>;
}

export interface RoundOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly log: (sentence: string) => void;
  /** Chooses the account of each request. */
  readonly accounts?: (contender: Contender) => AccountPicker;
  /** Chooses the supplier of each request, by its code; otherwise it is the scenario's. */
  readonly suppliers?: (contender: Contender) => (index: number) => string;
}

/** Longest warm-up before the first window; it lets code be compiled and queries be planned. */
const WARM_UP_SECONDS_MAX = 2;

/** A period of load on one contender, with the processor time that it needed. */
interface Window extends Load {
  readonly serverCpu: number | undefined;
  readonly databaseCpus: readonly (number | undefined)[];
}

/**
 * Measure contenders in one scenario, in alternating windows ({@link roundOrder}). So other work of the machine, and work
 * that PostgreSQL has left from the previous window, affects all of them alike. Every answer is verified, and at the end the
 * stored rows are compared with the answers.
 *
 * @throws Error when an answer or the database is wrong
 */
export async function measure(
  scenario: Scenario,
  contenders: readonly Contender[],
  postgres: BenchPostgres,
  options: RoundOptions,
): Promise<ScenarioResult> {
  const runs: ScenarioRun[] = [];
  for (const contender of contenders) {
    if (scenario.serviceOnly === true && !contender.name.startsWith('service')) continue;
    const run = await ScenarioRun.create(scenario, contender, postgres, options);
    if (run) runs.push(run);
    else options.log(`  ${contender.name}: skipped, because it does not have this endpoint (404).`);
  }
  for (const run of runs) await run.warmUp(Math.min(options.seconds, WARM_UP_SECONDS_MAX));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const run of roundOrder(round, runs)) await run.window(options.seconds);
  }
  const measurements = new Map<string, Measurement>();
  for (const run of runs) {
    await run.compareDatabase();
    const measurement = run.measurement();
    measurements.set(run.name, measurement);
    options.log(
      `  ${run.name}: ${Math.round(measurement.itemsPerSecond).toLocaleString('en')} items/s, p99 ${measurement.p99Ms.toFixed(1)} ms`,
    );
  }
  return { scenario, measurements };
}

/**
 * The order within a round: A B C, C B A, B C A, A C B, C A B, B A C, so that each contender follows each other one equally
 * often.
 */
export function roundOrder<T>(round: number, all: readonly T[]): T[] {
  const first = Math.floor(round / 2) % all.length;
  const order = [...all.slice(first), ...all.slice(0, first)];
  return round % 2 === 0 ? order : order.reverse();
}

/** The measurement of a contender in a scenario. */
class ScenarioRun {
  private readonly windows: Window[] = [];
  /** Stored rows before the first request, and those that the answers since then have confirmed. */
  private before: Rows = { count: 0, total: 0 };
  private answered: Rows = { count: 0, total: 0 };
  private nextIndex = 0;
  private peakBytes?: number;

  private constructor(
    private readonly scenario: Scenario,
    private readonly contender: Contender,
    private readonly postgres: BenchPostgres,
    private readonly accounts: AccountPicker,
    private readonly numbers: ServiceNumbers,
    private readonly supplierOf?: (index: number) => string,
  ) {}

  /** @returns `undefined` when the contender does not have the endpoint */
  static async create(
    scenario: Scenario,
    contender: Contender,
    postgres: BenchPostgres,
    { accounts = () => sequential, suppliers }: RoundOptions,
  ): Promise<ScenarioRun | undefined> {
    const numbers = scenario.namesServiceNumbers ? await contender.serviceNumbers() : NO_NUMBERS;
    const supplierOf = suppliers?.(contender);
    const run = new ScenarioRun(scenario, contender, postgres, accounts(contender), numbers, supplierOf);
    if (!(await run.hasEndpoint())) return undefined;
    if (scenario.stores) run.before = await contender.stored(scenario.stores);
    return run;
  }

  get name(): string {
    return this.contender.name;
  }

  /** Sends a request that stores nothing, because its body is invalid. */
  private hasEndpoint(): Promise<boolean> {
    const { call } = this.scenario.exchange(0, this.accounts, this.numbers);
    return withConnections(1, this.contender, async ([connection]) => {
      const answer = await connection!.send(call.method === 'POST' ? { ...call, body: '{}' } : call);
      return answer.status !== 404;
    });
  }

  async warmUp(seconds: number): Promise<void> {
    const { primer, connections } = this.scenario;
    if (primer) {
      await this.load(connections, times(primer.requests), primer);
      this.nextIndex = 0;
    }
    await this.load(connections, after(seconds));
    // It discards plans that were made while a table was empty.
    await query(this.contender.databaseUrl, 'ANALYZE');
  }

  async window(seconds: number): Promise<void> {
    await resetPeakMemory(this.contender.pid);
    const [serverBefore, ...databasesBefore] = await this.cpu();
    const load = await this.load(this.scenario.connections, after(seconds));
    const [serverAfter, ...databasesAfter] = await this.cpu();
    const peak = await peakMemoryBytes(this.contender.pid);
    if (peak !== undefined) this.peakBytes = Math.max(this.peakBytes ?? 0, peak);
    this.windows.push({
      ...load,
      serverCpu: difference(serverAfter, serverBefore),
      databaseCpus: databasesAfter.map((after, server) => difference(after, databasesBefore[server])),
    });
  }

  /** @throws Error when the number or the total of the stored rows is not the one that the answers confirmed */
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

  measurement(): Measurement {
    const items = ({ requests }: Window): number => requests * this.scenario.itemsPerRequest;
    const rates = this.windows.map((window) => items(window) / window.seconds);
    const perThousand = (seconds: (window: Window) => number | undefined): number[] =>
      this.windows.map((window) => ((seconds(window) ?? NaN) / items(window)) * 1_000);
    const serverCpu = perThousand((window) => window.serverCpu);
    const databaseCpu = perThousand(({ databaseCpus }) => sumOf(databaseCpus));
    const cpuPerThousand = serverCpu.map((seconds, round) => seconds + (databaseCpu[round] ?? NaN));
    return {
      itemsPerSecond: median(rates),
      p50Ms: median(this.windows.map(({ latenciesMs }) => percentile(latenciesMs, 0.5))),
      p99Ms: median(this.windows.map(({ latenciesMs }) => percentile(latenciesMs, 0.99))),
      ...(!cpuPerThousand.some(Number.isNaN) && {
        serverCpuPerThousand: median(serverCpu),
        databaseCpuPerThousand: median(databaseCpu),
        databaseCpusPerThousand: this.databasePids.map((_pid, server) =>
          median(perThousand(({ databaseCpus }) => databaseCpus[server])),
        ),
      }),
      ...(this.peakBytes !== undefined && { peakMemoryBytes: this.peakBytes }),
      rates,
      cpuPerThousand,
    };
  }

  private load(
    connections: number,
    isOver: () => boolean,
    { exchange }: Pick<Scenario, 'exchange'> = this.scenario,
  ): Promise<Load> {
    // A wrong answer ends the run, so what a request adds can be counted before it is answered.
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

  /** Every scenario is about the same supplier, whose code is in the path or at the beginning of the body. */
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

  private get databasePids(): readonly number[] {
    return this.contender.databasePids ?? [this.postgres.pid];
  }

  /** Of the service, and of each server of its database. */
  private cpu(): Promise<(number | undefined)[]> {
    return Promise.all([this.contender.pid, ...this.databasePids].map(cpuSeconds));
  }
}

function describe({ count, total }: Rows): string {
  return `${count} (total ${total})`;
}

function sumOf(values: readonly (number | undefined)[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce<number>((sum, value) => sum + (value ?? NaN), 0);
}

function difference(later: number | undefined, earlier: number | undefined): number | undefined {
  return later === undefined || earlier === undefined ? undefined : later - earlier;
}
