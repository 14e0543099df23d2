import { cpu, rates, ratioOf, roundRatios, type Measurement } from './load/measurement.js';
import type { ScenarioResult } from './load/rounds.js';
import { median } from './load/statistics.js';
import { grouped, megabytes, micros, NOTHING, range, ratio, type Report } from './report.js';
import { OLD_SERVICE } from './run.js';

/** The report on this build alone. */
export function scenarioReport(results: readonly ScenarioResult[]): Report {
  return {
    section: 'scenarios',
    tables: [
      {
        head: ['Scenario', 'Items/s', 'p50 ms', 'p99 ms', 'Service µs', 'PostgreSQL µs', 'Peak MB'],
        rows: results.flatMap(({ scenario, measurements }) =>
          [...measurements.values()].map((measurement) => [scenario.title, ...measuredCells(measurement)]),
        ),
        remarks: [
          'Medians of the rounds. µs are processor time a request; Peak MB is the highest resident memory of the service.',
        ],
      },
    ],
  };
}

function measuredCells(measurement: Measurement): string[] {
  return [
    grouped(median(measurement.rates)),
    measurement.latencyMs(0.5).toFixed(2),
    measurement.latencyMs(0.99).toFixed(2),
    micros(median(measurement.cpu('server'))),
    micros(median(measurement.cpu('database'))),
    megabytes(measurement.peakMemoryBytes),
  ];
}

/** The limit for scenarios without their own. */
const CPU_RATIO_MAX = 1.05;

/** The report that compares this build with the old one. */
export function comparisonReport(results: readonly ScenarioResult[]): Report {
  const builds = results.map(({ scenario, measurements }) => ({
    title: scenario.title,
    limit: scenario.cpuRatioMax ?? CPU_RATIO_MAX,
    pair: [measurements.get('service'), measurements.get(OLD_SERVICE)] as const,
  }));
  return {
    section: 'against',
    tables: [
      {
        head: ['Scenario', 'New items/s', 'Old items/s', 'New ÷ old', 'Rounds'],
        rows: builds.map(({ title, pair }) => [title, ...rateCells(pair)]),
        remarks: [
          'Medians of the rounds; a ratio is the median of the ratios of each round, and Rounds is the lowest and the highest of them.',
        ],
      },
      {
        head: ['Scenario', ...CPU_HEAD, 'Rounds', 'Limit', 'Verdict'],
        rows: builds.map(({ title, pair, limit }) => {
          const both = ratioOf(cpu('both'), ...pair);
          const verdict = Number.isNaN(both) ? 'not measured' : both <= limit ? 'ok' : 'dearer';
          const rounds = range(roundRatios(cpu('both'), ...pair));
          return [title, ...cpuCells(pair), rounds, limit.toFixed(2), verdict];
        }),
        remarks: [
          'Processor time in µs a request, new, old and new ÷ old. Both is service and PostgreSQL together, to which Rounds, Limit and Verdict belong.',
        ],
      },
    ],
  };
}

/** Two builds, the new one first. */
type Builds = readonly [Measurement | undefined, Measurement | undefined];

function rateCells(builds: Builds): string[] {
  return [
    ...builds.map((build) => (build ? grouped(median(build.rates)) : NOTHING)),
    ratio(ratioOf(rates, ...builds)),
    range(roundRatios(rates, ...builds)),
  ];
}

const CPU_HEAD = ['Service', 'PostgreSQL', 'Both'].flatMap((what) => [`${what} new`, 'old', 'new ÷ old']);

/** The cells below {@link CPU_HEAD}. */
function cpuCells(builds: Builds): string[] {
  return (['server', 'database', 'both'] as const).flatMap((of) => [
    ...builds.map((build) => (build ? micros(median(build.cpu(of))) : NOTHING)),
    ratio(ratioOf(cpu(of), ...builds)),
  ]);
}
