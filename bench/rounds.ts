import type { Contender } from './contenders.js';
import { after, drive, times, withConnections, type Load } from './driver.js';
import { query, type BenchPostgres } from './postgres.js';
import { cpuSeconds, peakMemoryBytes, resetPeakMemory } from './process-usage.js';
import {
  inTurn,
  NO_NUMBERS,
  type AccountPicker,
  type Rows,
  type Scenario,
  type ServiceNumbers,
} from './scenarios.js';
import { median, percentile } from './statistics.js';

/** What the windows of one scenario showed of one contender: medians, but the memory's peak. */
export interface Measurement {
  readonly itemsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the server's processes; absent where the system does not tell. */
  readonly serverCpuPerThousand?: number;
  /** Processor time of all PostgreSQL's processes. */
  readonly databaseCpuPerThousand?: number;
  readonly peakMemoryBytes?: number;
  /** The rate of each round, in the order of the rounds. */
  readonly rates: readonly number[];
  /** Processor time of both per 1,000 items, of each round; NaN where the system does not report it. */
  readonly cpuPerThousand: readonly number[];
}

/** One row of the table; a contender that was not measured is not in it. */
export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly measurements: ReadonlyMap<string, Measurement>;
}

export interface RoundOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly say: (sentence: string) => void;
  /** Which account each request is for. */
  readonly accounts?: (contender: Contender) => AccountPicker;
}

/** Longest warm-up before the first window, during which code is compiled and statements are planned. */
const WARM_UP_SECONDS_MAX = 2;

/** A window: what one contender did under load, and what that cost. */
interface Window extends Load {
  readonly serverCpu: number | undefined;
  readonly databaseCpu: number | undefined;
}

/**
 * Measure contenders in one scenario, window by window in turn (A B C, C B A, B C A, A C B, C A B, B A C), so that whatever
 * else the machine does hits them alike, and what the window before has left for PostgreSQL to do does too. Every answer is verified, and at the end what the database holds is compared with what was
 * answered.
 *
 * @throws Error when an answer or the database is wrong
 */
export async function measure(
  scenario: Scenario,
  contenders: readonly Contender[],
  postgres: BenchPostgres,
  options: RoundOptions,
): Promise<ScenarioResult> {
  const entrants: Entrant[] = [];
  for (const contender of contenders) {
    if (scenario.serviceOnly === true && !contender.name.startsWith('service')) continue;
    const entrant = await Entrant.enter(scenario, contender, postgres, options);
    if (entrant) entrants.push(entrant);
    else options.say(`  ${contender.name}: skipped, it has no such endpoint (404).`);
  }
  for (const entrant of entrants) await entrant.warmUp(Math.min(options.seconds, WARM_UP_SECONDS_MAX));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const entrant of inTurnOf(round, entrants)) await entrant.window(options.seconds);
  }
  const measurements = new Map<string, Measurement>();
  for (const entrant of entrants) {
    await entrant.compareDatabase();
    const measurement = entrant.measurement();
    measurements.set(entrant.name, measurement);
    options.say(
      `  ${entrant.name}: ${Math.round(measurement.itemsPerSecond).toLocaleString('en')} items/s, p99 ${measurement.p99Ms.toFixed(1)} ms`,
    );
  }
  return { scenario, measurements };
}

/** Those of a round in their order: every second round has that of the round before it backwards. */
export function inTurnOf<T>(round: number, all: readonly T[]): T[] {
  const first = Math.floor(round / 2) % all.length;
  const turns = [...all.slice(first), ...all.slice(0, first)];
  return round % 2 === 0 ? turns : turns.reverse();
}

/** A contender in a scenario. */
class Entrant {
  private readonly windows: Window[] = [];
  /** What its requests store: before the first of them, and what the answers since then say. */
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
  ) {}

  /** @returns nothing when the contender does not have the endpoint */
  static async enter(
    scenario: Scenario,
    contender: Contender,
    postgres: BenchPostgres,
    { accounts = () => inTurn }: RoundOptions,
  ): Promise<Entrant | undefined> {
    const numbers = scenario.namesServiceNumbers ? await contender.serviceNumbers() : NO_NUMBERS;
    const entrant = new Entrant(scenario, contender, postgres, accounts(contender), numbers);
    if (!(await entrant.hasEndpoint())) return undefined;
    if (scenario.stores) entrant.before = await contender.stored(scenario.stores);
    return entrant;
  }

  get name(): string {
    return this.contender.name;
  }

  /** Sends a request that no server of ours has a good answer to, and so stores nothing. */
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
    // A plan that was made while a table was empty is thrown away by this.
    await query(this.contender.databaseUrl, 'ANALYZE');
  }

  async window(seconds: number): Promise<void> {
    await resetPeakMemory(this.contender.pid);
    const [serverBefore, databaseBefore] = await this.cpu();
    const load = await this.load(this.scenario.connections, after(seconds));
    const [serverAfter, databaseAfter] = await this.cpu();
    const peak = await peakMemoryBytes(this.contender.pid);
    if (peak !== undefined) this.peakBytes = Math.max(this.peakBytes ?? 0, peak);
    this.windows.push({
      ...load,
      serverCpu: difference(serverAfter, serverBefore),
      databaseCpu: difference(databaseAfter, databaseBefore),
    });
  }

  /** The rows that are there must be the rows whose storing was answered, and come to as much. */
  async compareDatabase(): Promise<void> {
    const { stores } = this.scenario;
    if (!stores) return;
    const now = await this.contender.stored(stores);
    const added = { count: now.count - this.before.count, total: now.total - this.before.total };
    if (added.count !== this.answered.count || added.total !== this.answered.total) {
      throw new Error(
        `${this.name} answered that it stored ${inWords(this.answered)} ${stores} in ${this.scenario.name}; its database has ${inWords(added)}.`,
      );
    }
  }

  measurement(): Measurement {
    const items = ({ requests }: Window): number => requests * this.scenario.itemsPerRequest;
    const rates = this.windows.map((window) => items(window) / window.seconds);
    const perThousand = (seconds: (window: Window) => number | undefined): number[] =>
      this.windows.map((window) => ((seconds(window) ?? NaN) / items(window)) * 1_000);
    const serverCpu = perThousand((window) => window.serverCpu);
    const databaseCpu = perThousand((window) => window.databaseCpu);
    const cpuPerThousand = serverCpu.map((seconds, round) => seconds + (databaseCpu[round] ?? NaN));
    return {
      itemsPerSecond: median(rates),
      p50Ms: median(this.windows.map(({ latenciesMs }) => percentile(latenciesMs, 0.5))),
      p99Ms: median(this.windows.map(({ latenciesMs }) => percentile(latenciesMs, 0.99))),
      ...(!cpuPerThousand.some(Number.isNaN) && {
        serverCpuPerThousand: median(serverCpu),
        databaseCpuPerThousand: median(databaseCpu),
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
    // Whatever is sent is answered as it should be, or the run fails; so what it adds can be counted here.
    const next = (): ReturnType<typeof exchange> => {
      const made = exchange(this.nextIndex, this.accounts, this.numbers);
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

  private cpu(): Promise<[number | undefined, number | undefined]> {
    return Promise.all([cpuSeconds(this.contender.pid), cpuSeconds(this.postgres.pid)]);
  }
}

function inWords({ count, total }: Rows): string {
  return `${count} (in sum ${total})`;
}

function difference(later: number | undefined, earlier: number | undefined): number | undefined {
  return later === undefined || earlier === undefined ? undefined : later - earlier;
}
