import { Measurement } from './load/measurement.js';
import { SCENARIOS } from './load/scenarios.js';
import { withSection } from './report.js';
import { comparisonReport, scenarioReport } from './scenario-report.js';

/** One-second rounds, with processor times in seconds. */
function measured(
  rounds: readonly (readonly [requests: number, server: number, database: number])[],
): Measurement {
  return new Measurement(
    1,
    rounds.map(([requests, serverCpu, database]) => ({
      requests,
      seconds: 1,
      latenciesMs: [1],
      serverCpu,
      databaseCpus: [database],
      peakBytes: NaN,
    })),
  );
}

const [scenario] = SCENARIOS;

describe('the report of the benchmark', () => {
  it('shows the medians of the rounds', () => {
    const measurements = new Map([
      [
        'service',
        measured([
          [100, 1, 1],
          [300, 0.6, 1],
          [90, 1, 1],
        ]),
      ],
    ]);
    const report = scenarioReport([{ scenario: scenario!, measurements }]);
    expect(report.tables[0]!.rows).toEqual([
      ['1 transaction a request', '100', '1.00', '1.00', '10,000', '10,000', '–'],
    ]);
  });

  it.each([
    [0.0515, 'ok'],
    [0.0525, 'dearer'],
    [NaN, 'not measured'],
  ])(
    'judges two builds by the processor time of both programs: %d s of PostgreSQL are %s',
    (database, verdict) => {
      const measurements = new Map([
        ['service', measured([[1_000, 0.06, database]])],
        ['service-old', measured([[1_000, 0.05, 0.05]])],
      ]);
      const [rates, times] = comparisonReport([{ scenario: scenario!, measurements }]).tables;
      expect(rates!.rows).toEqual([['1 transaction a request', '1,000', '1,000', '1.00', '1.00 / 1.00']]);
      expect(times!.rows[0]!.slice(1, 4)).toEqual(['60.0', '50.0', '1.20']);
      expect(times!.rows[0]!.slice(-2)).toEqual(['1.12', verdict]);
    },
  );

  it('replaces its section of a page, or appends it, and keeps the text around it', () => {
    const page = 'Before.\n\n<!-- bench:bulk -->\nold\n<!-- /bench:bulk -->\n\nAfter.\n';
    const renewed = 'Before.\n\n<!-- bench:bulk -->\n\nnew\n\n<!-- /bench:bulk -->\n\nAfter.\n';
    expect(withSection(page, 'bulk', 'new')).toBe(renewed);
    expect(withSection('Before.\n', 'bulk', 'new')).toBe(renewed.replace('\nAfter.\n', ''));
  });
});
