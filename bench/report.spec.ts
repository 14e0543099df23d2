import { comparisonReport, scenarioReport, toMarkdown, withSection } from './report.js';
import type { Measurement } from './rounds.js';
import { SCENARIOS } from './scenarios.js';

function measured(rates: number[], cpu: number): Measurement {
  return {
    itemsPerSecond: rates[0]!,
    p50Ms: 1,
    p99Ms: 2,
    serverCpuPerThousand: cpu,
    databaseCpuPerThousand: cpu,
    rates,
    cpuPerThousand: rates.map(() => 2 * cpu),
  };
}

describe('the report of the benchmark', () => {
  it('divides by the measurement of the same round and shows only what was measured', () => {
    const measurements = new Map([
      ['service', measured([100, 300, 90], 0.5)],
      ['floor', measured([200, 300, 100], 0.25)],
    ]);
    const report = scenarioReport(
      [{ scenario: SCENARIOS[0]!, measurements }],
      ['service', 'floor', 'tutorial'],
    );
    expect(report.tables[0]!.rows).toEqual([
      ['1 transaction a request', '0.90', '0.50 / 1.00', '2.00', '–', '–'],
    ]);
    expect(report.tables[1]!.rows.map((row) => row.slice(0, 3))).toEqual([
      ['1 transaction a request', 'service', '100'],
      ['1 transaction a request', 'floor', '200'],
    ]);
  });

  it('shows the cost of the framework when it was measured', () => {
    const measurements = new Map([
      ['service', measured([50], 0.5)],
      ['floor', measured([100], 0.25)],
      ['floor-behind-nest', measured([80], 0.25)],
    ]);
    const report = scenarioReport([{ scenario: SCENARIOS[0]!, measurements }], [...measurements.keys()]);
    expect(report.tables[0]!.head.at(-1)).toBe('Floor behind Nest ÷ floor');
    expect(report.tables[0]!.rows[0]!.at(-1)).toBe('0.80');
  });

  it('compares two builds by the median of the ratios of each round', () => {
    const measurements = new Map([
      ['service', { ...measured([100, 300, 90], 0.5), cpuPerThousand: [1, 4, 9] }],
      ['service-old', { ...measured([200, 300, 100], 0.25), cpuPerThousand: [2, 1, 3] }],
    ]);
    const report = comparisonReport([{ scenario: SCENARIOS[0]!, measurements }]);
    expect(report.tables[0]!.rows).toEqual([
      [
        ...['1 transaction a request', '100', '200', '0.90', '0.50 / 1.00'],
        ...['0.500 + 0.500', '0.250 + 0.250', '3.00', 'slower'],
      ],
    ]);
  });

  it.each([
    [0.95, 1.06, 'ok'],
    [0.949, 1.05, 'ok'],
    [0.949, 1.051, 'slower'],
    [0.949, NaN, 'slower'],
    [0.95, NaN, 'ok'],
  ])('reports a build with %d of the rate and %d of the processor time as %s', (rate, cpu, verdict) => {
    const measurements = new Map([
      ['service', { ...measured([rate], 1), cpuPerThousand: [cpu] }],
      ['service-old', { ...measured([1], 1), cpuPerThousand: [1] }],
    ]);
    const report = comparisonReport([{ scenario: SCENARIOS[0]!, measurements }]);
    expect(report.tables[0]!.rows[0]!.at(-1)).toBe(verdict);
  });

  it('shows that a build was not measured', () => {
    const measurements = new Map([['service', measured([100], 0.5)]]);
    const report = comparisonReport([{ scenario: SCENARIOS[0]!, measurements }]);
    expect(report.tables[0]!.rows[0]!.at(-1)).toBe('not measured');
  });

  it('aligns numbers to the right in Markdown', () => {
    const tables = [
      { head: ['What', 'Who', 'Rate'], rows: [['list', 'floor', '1,234']], remarks: ['A remark.'] },
    ];
    expect(toMarkdown({ section: 'scenarios', tables })).toBe(
      ['| What | Who | Rate |', '| --- | --- | ---: |', '| list | floor | 1,234 |', '', 'A remark.'].join(
        '\n',
      ),
    );
  });

  it('replaces its section of a page and keeps the text around it', () => {
    const page = '# Performance\n\nBefore.\n\n<!-- bench:bulk -->\nold\n<!-- /bench:bulk -->\n\nAfter.\n';
    const renewed =
      '# Performance\n\nBefore.\n\n<!-- bench:bulk -->\n\nnew\n\n<!-- /bench:bulk -->\n\nAfter.\n';
    expect(withSection(page, 'bulk', 'new')).toBe(renewed);
    expect(withSection(renewed, 'bulk', 'new')).toBe(renewed);
  });

  it('appends a section that the page does not have', () => {
    expect(withSection('# Performance\n', 'growth', 'new')).toBe(
      '# Performance\n\n<!-- bench:growth -->\n\nnew\n\n<!-- /bench:growth -->\n',
    );
  });
});
