import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import Table from 'cli-table3';
import { OLD_SERVICE, PROJECT } from './contenders.js';
import type { Measurement, ScenarioResult } from './rounds.js';
import { median } from './statistics.js';

/** Tables for the terminal and for docs/performance.md. */
export interface Report {
  /** The part of a page between `<!-- bench:SECTION -->` and `<!-- /bench:SECTION -->`. */
  readonly section:
    | 'scenarios'
    | 'against'
    | 'bulk'
    | 'growth'
    | 'burst'
    | 'long-lists'
    | 'loader'
    | 'nodes'
    | 'reliability'
    | 'screens'
    | 'proof'
    | 'contents'
    | 'undo';
  readonly tables: readonly ReportTable[];
}

export interface ReportTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Sentences below the table. */
  readonly remarks?: readonly string[];
}

const BYTES_PER_MEGABYTE = 1_048_576;
const NOTHING = '–';

/** The measurements, and the ratios of the service to the other contenders. */
export function scenarioReport(results: readonly ScenarioResult[], contenders: readonly string[]): Report {
  const measured: string[][] = [];
  const ratios: string[][] = [];
  const hasNest = contenders.includes('floor-behind-nest');
  for (const { scenario, measurements } of results) {
    for (const name of contenders) {
      const measurement = measurements.get(name);
      if (measurement) measured.push([scenario.title, name, ...measuredCells(measurement)]);
    }
    const service = measurements.get('service');
    if (service) {
      const [floor, tutorial] = [measurements.get('floor'), measurements.get('tutorial')];
      ratios.push([
        scenario.title,
        ratio(rateRatio(service, floor)),
        range(roundRatios('rates', service, floor)),
        ratio(cpuRatio(service, floor)),
        ratio(rateRatio(service, tutorial)),
        ratio(cpuRatio(service, tutorial)),
        ...(hasNest ? [ratio(rateRatio(measurements.get('floor-behind-nest'), floor))] : []),
      ]);
    }
  }
  return {
    section: 'scenarios',
    tables: [
      {
        head: [
          ...['Scenario', 'Rate ÷ floor', 'Rounds', 'CPU ÷ floor', 'Rate ÷ tutorial', 'CPU ÷ tutorial'],
          ...(hasNest ? ['Floor behind Nest ÷ floor'] : []),
        ],
        rows: ratios,
        remarks: [
          'Each ratio is that of the service to another server: the median of the ratios of each round, because the windows of a round are close in time. Rounds is the lowest and the highest ratio of the rates to the floor. CPU is the processor time of server and PostgreSQL together for the same work; below 1 the service needs less.',
        ],
      },
      {
        head: [
          ...['Scenario', 'Server', 'Items/s', 'p50 ms', 'p99 ms', 'Server CPU', 'PostgreSQL CPU', 'Peak MB'],
        ],
        rows: measured,
        remarks: [
          'Medians of the rounds. CPU is processor time in seconds per 1,000 items; Peak MB is the highest resident memory of the server.',
        ],
      },
    ],
  };
}

/** A build is `slower` when neither its rate nor its processor time is within these ratios to the old build. */
const RATE_RATIO_MIN = 0.95;
const CPU_RATIO_MAX = 1.05;

/** The comparison of the service with another build of it. */
export function comparisonReport(results: readonly ScenarioResult[]): Report {
  const rows = results.map(({ scenario, measurements }) => {
    const builds = [measurements.get('service'), measurements.get(OLD_SERVICE)] as const;
    const [rate, cpu] = [rateRatio(...builds), cpuRatio(...builds)];
    const isOk = rate !== undefined && (rate >= RATE_RATIO_MIN || (cpu ?? NaN) <= CPU_RATIO_MAX);
    return [
      scenario.title,
      ...builds.map((build) => (build ? grouped(build.itemsPerSecond) : NOTHING)),
      ratio(rate),
      range(roundRatios('rates', ...builds)),
      ...builds.map(cpuOfBoth),
      ratio(cpu),
      rate === undefined ? 'not measured' : isOk ? 'ok' : 'slower',
    ];
  });
  return {
    section: 'against',
    tables: [
      {
        head: [
          ...['Scenario', 'New items/s', 'Old items/s', 'Rate new ÷ old', 'Rounds'],
          ...['New CPU', 'Old CPU', 'CPU new ÷ old', 'Verdict'],
        ],
        rows,
        remarks: [
          'Rates and CPU are medians of the rounds; both ratios are the median of the ratios of each round, and Rounds is the lowest and the highest ratio of the rates. CPU is processor time in seconds per 1,000 items, of the service + of PostgreSQL; its ratio is that of their sum.',
          `ok: the rate is at least ${RATE_RATIO_MIN} of the old one, or the processor time at most ${CPU_RATIO_MAX} of it.`,
        ],
      },
    ],
  };
}

function cpuOfBoth(measurement: Measurement | undefined): string {
  const { serverCpuPerThousand: server, databaseCpuPerThousand: database } = measurement ?? {};
  if (server === undefined || database === undefined) return NOTHING;
  return `${server.toPrecision(3)} + ${database.toPrecision(3)}`;
}

function measuredCells(measurement: Measurement): string[] {
  const { itemsPerSecond, p50Ms, p99Ms, serverCpuPerThousand, databaseCpuPerThousand } = measurement;
  return [
    grouped(itemsPerSecond),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    serverCpuPerThousand?.toFixed(4) ?? NOTHING,
    databaseCpuPerThousand?.toFixed(4) ?? NOTHING,
    measurement.peakMemoryBytes === undefined ? NOTHING : megabytes(measurement.peakMemoryBytes),
  ];
}

/** The median of the ratios of the rates of each round. */
export function rateRatio(one: Measurement | undefined, other: Measurement | undefined): number | undefined {
  const ratios = roundRatios('rates', one, other);
  return ratios && median(ratios);
}

/** The median of the ratios of the processor time of each round, server and PostgreSQL together. */
function cpuRatio(one: Measurement | undefined, other: Measurement | undefined): number | undefined {
  const ratios = roundRatios('cpuPerThousand', one, other);
  return ratios && median(ratios);
}

/** The ratio of each round. */
function roundRatios(
  what: 'rates' | 'cpuPerThousand',
  one: Measurement | undefined,
  other: Measurement | undefined,
): number[] | undefined {
  return other && one?.[what].map((value, round) => value / (other[what][round] ?? NaN));
}

/** The lowest and the highest value. */
function range(ratios: readonly number[] | undefined): string {
  return ratios ? `${ratio(Math.min(...ratios))} / ${ratio(Math.max(...ratios))}` : NOTHING;
}

export function ratio(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? NOTHING : value.toFixed(2);
}

export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function megabytes(bytes: number): string {
  return (bytes / BYTES_PER_MEGABYTE).toFixed(0);
}

/** Whether a column contains only numbers, and so is aligned to the right. */
function isNumeric(rows: ReportTable['rows'], column: number): boolean {
  return rows.every((row) => /^[\d.,/+ ]+$|^–$/.test(row[column] ?? ''));
}

/** The tables for a terminal. */
export function toText({ tables }: Report): string {
  return tables
    .map(({ head, rows, remarks = [] }) => {
      const table = new Table({
        head: [...head],
        colAligns: head.map((_, column) => (isNumeric(rows, column) ? 'right' : 'left')),
        style: { head: [], border: [] },
      });
      table.push(...rows.map((row) => [...row]));
      return [table.toString(), ...remarks].join('\n');
    })
    .join('\n\n');
}

/** The machine and the kind of measurement, printed above the tables. */
export function describeMachine(database: string, windows: string): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  return [
    `${new Date().toISOString().slice(0, 10)}: ${model}, ${processors.length} cores,`,
    `${(totalmem() / BYTES_PER_MEGABYTE / 1_024).toFixed(0)} GB of memory; Node.js ${process.versions.node},`,
    `${database};`,
    `driver, server and database on this one machine; ${windows}.`,
  ].join(' ');
}

const PAGE = join(PROJECT, 'docs', 'performance.md');

/** Replace a section of docs/performance.md. */
export function writeReport(report: Report, machine: string): void {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '# Performance\n';
  mkdirSync(dirname(PAGE), { recursive: true });
  writeFileSync(PAGE, withSection(page, report.section, `${machine}\n\n${toMarkdown(report)}`));
}

/** @returns the page with the section replaced, or appended when the page does not have it */
export function withSection(page: string, section: string, content: string): string {
  const [begin, end] = [`<!-- bench:${section} -->`, `<!-- /bench:${section} -->`];
  const marked = `${begin}\n\n${content}\n\n${end}`;
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) return `${page.trimEnd()}\n\n${marked}\n`;
  return page.slice(0, from) + marked + page.slice(to + end.length);
}

export function toMarkdown({ tables }: Report): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return tables
    .map(({ head, rows, remarks = [] }) =>
      [
        line(head),
        line(head.map((_, column) => (isNumeric(rows, column) ? '---:' : '---'))),
        ...rows.map(line),
        ...remarks.map((remark) => `\n${remark}`),
      ].join('\n'),
    )
    .join('\n\n');
}
