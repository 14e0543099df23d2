import type { Load } from './driver.js';
import { median, percentile } from './statistics.js';

/** A period of load on one contender, with its processor time in seconds; NaN where the system does not report it. */
export interface Window extends Load {
  readonly serverCpu: number;
  /** One value per database server. */
  readonly databaseCpus: readonly number[];
  /** Peak resident memory of the server. */
  readonly peakBytes: number;
}

/** Which processor time: of the server's processes, of all PostgreSQL processes, or both. */
export type CpuOf = 'server' | 'database' | 'both';

/** The windows of a contender in a scenario, one per round. */
export class Measurement {
  constructor(
    private readonly itemsPerRequest: number,
    private readonly windows: readonly Window[],
  ) {}

  /** Peak resident memory of the server. */
  get peakMemoryBytes(): number {
    return Math.max(...this.windows.map(({ peakBytes }) => peakBytes));
  }

  /** Items per second in each round. */
  get rates(): number[] {
    return this.windows.map(({ requests, seconds }) => (requests * this.itemsPerRequest) / seconds);
  }

  /** Processor time in µs per request in each round. */
  cpu(of: CpuOf): number[] {
    return this.windows.map(({ requests, serverCpu, databaseCpus }) => {
      const database = databaseCpus.length === 0 ? NaN : databaseCpus.reduce((sum, cpu) => sum + cpu, 0);
      const seconds = { server: serverCpu, database, both: serverCpu + database }[of];
      return (seconds / requests) * 1e6;
    });
  }

  /** Median processor time of each database server, in µs per request. */
  cpuOfDatabases(): number[] {
    const [first] = this.windows;
    return (first?.databaseCpus ?? []).map((_cpu, server) =>
      median(
        this.windows.map(({ requests, databaseCpus }) => ((databaseCpus[server] ?? NaN) / requests) * 1e6),
      ),
    );
  }

  /** Median of the rounds. @param share 0.99 for p99 */
  latencyMs(share: number): number {
    return median(this.windows.map(({ latenciesMs }) => percentile(latenciesMs, share)));
  }
}

/** Extracts the compared value of each round. */
export type Values = (measurement: Measurement) => readonly number[];
export const rates: Values = (measurement) => measurement.rates;
export const cpu =
  (of: CpuOf): Values =>
  (measurement) =>
    measurement.cpu(of);

/** The ratio in each round, because the windows of a round are close in time. Empty unless both were measured. */
export function roundRatios(
  values: Values,
  one: Measurement | undefined,
  other: Measurement | undefined,
): number[] {
  if (!one || !other) return [];
  const divisors = values(other);
  return values(one).map((value, round) => value / (divisors[round] ?? NaN));
}

/** The median of the rounds' ratios; NaN unless both were measured. */
export function ratioOf(
  values: Values,
  one: Measurement | undefined,
  other: Measurement | undefined,
): number {
  return median(roundRatios(values, one, other));
}
